//! What packed data says: streams of gzip and zlib, wherever they begin, and the members of zip archives.

/// How much is unpacked of one file.
const MOST_BYTES: u64 = 16 << 20;
/// How many beginnings are tried: two bytes look like one now and then.
const MOST_TRIES: usize = 2000;

/// How a packed stream begins, and where its data does.
enum Start {
    Gzip,
    Zlib,
    Member(usize),
}

/// Every stream in `bytes`, unpacked as far as it can be.
pub(crate) fn unpacked(bytes: &[u8]) -> Vec<Vec<u8>> {
    let (mut left, mut found) = (MOST_BYTES, Vec::new());
    for (at, start) in starts(bytes).take(MOST_TRIES) {
        let stream = inflate(&bytes[at..], &start, left);
        left -= stream.len() as u64;
        if !stream.is_empty() {
            found.push(stream);
        }
        if left == 0 {
            break;
        }
    }
    found
}

fn starts(bytes: &[u8]) -> impl Iterator<Item = (usize, Start)> {
    let start = |at: usize| match bytes[at..] {
        [0x1f, 0x8b, 8, ..] => Some((at, Start::Gzip)),
        [0x78, 0x01 | 0x5e | 0x9c | 0xda, ..] => Some((at, Start::Zlib)),
        // The name and further fields lie between the header and the data.
        [b'P', b'K', 3, 4, ref rest @ ..] if rest.len() >= 26 => {
            let length = |at: usize| usize::from(u16::from_le_bytes([rest[at], rest[at + 1]]));
            Some((at, Start::Member(30 + length(22) + length(24))))
        }
        _ => None,
    };
    memchr::memchr3_iter(0x1f, 0x78, b'P', bytes).filter_map(start)
}

#[cfg(feature = "cli")]
fn inflate(bytes: &[u8], start: &Start, most: u64) -> Vec<u8> {
    use std::io::Read;

    let mut out = Vec::new();
    // What came before an error counts.
    let _ = match start {
        Start::Gzip => flate2::read::GzDecoder::new(bytes).take(most).read_to_end(&mut out),
        Start::Zlib => flate2::read::ZlibDecoder::new(bytes).take(most).read_to_end(&mut out),
        Start::Member(data) => {
            let data = bytes.get(*data..).unwrap_or_default();
            flate2::read::DeflateDecoder::new(data).take(most).read_to_end(&mut out)
        }
    };
    out
}

/// Only the program searches for held-out texts.
#[cfg(not(feature = "cli"))]
fn inflate(_: &[u8], _: &Start, _: u64) -> Vec<u8> {
    Vec::new()
}
