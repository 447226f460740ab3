//! A store with one large folder, whose files have rows and empty blobs.

use std::fs::{self, File};
use std::path::Path;

use rusqlite::Connection;

use crate::served::{self, Served};
use crate::server_database;

/// Creates a store with rows of files in one folder, id 1: ids from 101 on, a different sequence in
/// every order.
pub(crate) fn fill(dir: &Path, files: i64) {
    // The first start creates the database.
    drop(Served::start(&served::binary(), dir));
    if let Some(address) = server_database::address(dir) {
        return fill_server(&address, files);
    }
    // Durability does not matter here; this way a million rows take a minute.
    let database = Connection::open(dir.join("filedeck.db")).unwrap();
    database
        .execute_batch("PRAGMA synchronous = OFF; PRAGMA cache_size = -400000")
        .unwrap();
    let folder = "INSERT INTO folders (id, name, name_folded, path, created_at, updated_at)
         VALUES (1, 'large', 'large', '/large', 0, 0)";
    database.execute(folder, []).unwrap();
    let rows = "WITH RECURSIVE
           numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1),
           files_to_be (n, mixed) AS (SELECT n, n * 7919 % 1000003 FROM numbers)
         INSERT INTO files (id, folder_id, stem, stem_folded, extension, full_name, blob, size, md5, digest, kind,
           media_type, width, height, access, usable, source_group, created_at, updated_at, expires_at)
         SELECT 100 + n, 1, 'file-' || mixed, 'file-' || mixed, 'e' || (n % 5), 'file-' || mixed || '.e' || (n % 5),
           lower(hex(randomblob(16))), mixed, lower(hex(randomblob(16))), lower(hex(randomblob(32))),
           CASE n % 3 WHEN 0 THEN 'IMG' WHEN 1 THEN 'DOCUMENT' ELSE 'OTHER' END, 'application/octet-stream',
           CASE n % 3 WHEN 0 THEN mixed % 4000 END, CASE n % 3 WHEN 0 THEN mixed % 3000 END,
           CASE n % 2 WHEN 0 THEN 'PRIVATE' ELSE 'PUBLIC_INDEXABLE' END, 1, 'CONTENT',
           1700000000000 + n * 1000, 1700000000000 + mixed * 1000,
           CASE n % 10 WHEN 0 THEN 4000000000000 + mixed END
         FROM files_to_be";
    database.execute(rows, [files]).unwrap();
    let mut named = database.prepare("SELECT blob FROM files").unwrap();
    let blobs: Vec<String> = named
        .query_map([], |row| row.get(0))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    drop(named);
    for blob in blobs {
        fs::write(dir.join("blobs").join(blob.split_at(1).0).join(&blob), "").unwrap();
    }
    drop(database);
    // Pending writes of the system would slow down the measurements.
    File::open(dir.join("filedeck.db"))
        .unwrap()
        .sync_all()
        .unwrap();
}

/// Does the same as `fill`, without the blobs.
fn fill_server(address: &str, files: i64) {
    let rows = format!(
        "INSERT INTO folders (id, name, name_folded, path, created_at, updated_at)
         VALUES (1, 'large', 'large', '/large', 0, 0);
         INSERT INTO files (id, folder_id, stem, stem_folded, extension, full_name, blob, size, md5, digest, kind,
           media_type, width, height, access, usable, source_group, created_at, updated_at, expires_at)
         SELECT 100 + n, 1, 'file-' || mixed, 'file-' || mixed, 'e' || (n % 5), 'file-' || mixed || '.e' || (n % 5),
           md5('b' || n), mixed, md5('m' || n), md5('d' || n) || md5('e' || n),
           CASE n % 3 WHEN 0 THEN 'IMG' WHEN 1 THEN 'DOCUMENT' ELSE 'OTHER' END, 'application/octet-stream',
           CASE n % 3 WHEN 0 THEN mixed % 4000 END, CASE n % 3 WHEN 0 THEN mixed % 3000 END,
           CASE n % 2 WHEN 0 THEN 'PRIVATE' ELSE 'PUBLIC_INDEXABLE' END, TRUE, 'CONTENT',
           1700000000000 + n * 1000, 1700000000000 + mixed * 1000,
           CASE n % 10 WHEN 0 THEN 4000000000000 + mixed END
         FROM (SELECT n, n * 7919 % 1000003 AS mixed FROM generate_series(1::BIGINT, {files}) n) AS files_to_be"
    );
    server_database::psql(address, &rows);
    server_database::psql(address, "VACUUM ANALYZE");
    server_database::psql(address, "CHECKPOINT");
}
