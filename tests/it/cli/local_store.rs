use std::time::Duration;

use filedeck::cli::local_store::LocalStore;
use tokio::net::TcpStream;

#[tokio::test]
async fn when_the_holder_ends_another_goes_on_at_the_same_address() {
    let dir = tempfile::tempdir().unwrap();
    let holder = LocalStore::open(dir.path()).await.unwrap();
    let guest = LocalStore::open(dir.path()).await.unwrap();
    let address = holder.address().base_url.clone();
    assert_eq!(guest.address().base_url, address);
    holder.close().await;
    let target = (address.host_str().unwrap(), address.port().unwrap());
    let answered = async {
        while TcpStream::connect(target).await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), answered).await.unwrap();
    guest.close().await;
}
