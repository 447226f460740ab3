//! The memory that `serve` uses for copies of pictures, many of them requested at once.

use image::ImageFormat;

use super::binary::{Binary, Serving, TOKEN};
use crate::support::http;
use crate::support::large_pictures::{black, claiming_gif, jpeg, noise};
use crate::support::memory::peak_mib;
use crate::support::service::{Answer, answer, form};

const AT_ONCE: usize = 24;

#[test]
#[ignore = "slow; tests/nightly/run has it"]
fn copies_of_large_pictures_that_are_asked_for_at_once_stay_within_the_bound() {
    let mut padded = jpeg(3_200, 2_400, false);
    // The padding goes before the last marker.
    padded.splice(
        padded.len() - 2..padded.len() - 2,
        vec![0; 22 * 1024 * 1024],
    );
    // Each with `true` for a copy and `false` for the file itself.
    let pictures = [
        ("baseline.jpg", jpeg(8_000, 6_000, false), true),
        ("progressive.jpg", jpeg(8_000, 6_000, true), true),
        ("padded.jpg", padded, true),
        ("noise.png", noise(2_700, 2_700), true),
        ("large.png", black(5_000, 5_000, ImageFormat::Png), true),
        ("too-large.gif", claiming_gif(), false),
        ("large.webp", black(2_600, 2_600, ImageFormat::WebP), true),
    ];
    let binary = Binary::new().env("FILEDECK_SERVICE_TOKEN", TOKEN);
    let serving = Serving::start(&binary, &["--data-dir", "store"]);
    let (runtime, http) = (tokio::runtime::Runtime::new().unwrap(), http::client());
    let files = format!("{}/files/v3/files", serving.base_url());
    let before = peak_mib(serving.id());
    runtime.block_on(async {
        let mut signed = Vec::new();
        for (name, bytes, _) in &pictures {
            let form = form(name, bytes)
                .text("options", r#"{"access":"PRIVATE"}"#)
                .text("folderPath", "/");
            let id = answer(http.post(&files).bearer_auth(TOKEN).multipart(form))
                .await
                .expect(201)
                .id();
            let address = answer(
                http.get(format!("{files}/{id}/signed-url?size=preview"))
                    .bearer_auth(TOKEN),
            )
            .await;
            signed.push(
                address.expect(200).json()["url"]
                    .as_str()
                    .unwrap()
                    .to_owned(),
            );
        }
        let asked = (0..AT_ONCE).map(|number| answer(http.get(&signed[number % signed.len()])));
        let answers: Vec<Answer> = futures::future::join_all(asked).await;
        let noisy = &signed[pictures
            .iter()
            .position(|(name, ..)| *name == "noise.png")
            .unwrap()];
        futures::future::join_all((0..AT_ONCE).map(|_| answer(http.get(noisy)))).await;
        for (answer, (name, bytes, is_copied)) in answers.into_iter().zip(pictures.iter().cycle()) {
            let answer = answer.expect(200);
            assert_eq!(
                answer.body == *bytes,
                !is_copied,
                "{name}: {} bytes came back",
                answer.body.len()
            );
            if *is_copied {
                let copy = image::load_from_memory(&answer.body).unwrap();
                assert!(copy.width().max(copy.height()) <= 1_280, "{name}");
            }
        }
    });
    let peak = peak_mib(serving.id());
    println!("{before} MiB at the start, {peak} MiB at the peak");
    assert!(peak < 200, "{peak} MiB");
}
