//! xxHash64 with seed 0: what LightEval hashes with. Evidence of sameness, never of honesty.

const PRIMES: [u64; 5] = [
    0x9E37_79B1_85EB_CA87,
    0xC2B2_AE3D_27D4_EB4F,
    0x1656_67B1_9E37_79F9,
    0x85EB_CA77_C2B2_AE63,
    0x27D4_EB2F_1656_67C5,
];

/// The hash of `bytes` as 16 lower-case hex digits.
pub fn xxh64_hex(bytes: &[u8]) -> String {
    format!("{:016x}", xxh64(bytes))
}

fn xxh64(bytes: &[u8]) -> u64 {
    let [p1, p2, p3, p4, p5] = PRIMES;
    let (stripes, rest) = bytes.as_chunks::<32>();
    let mut hash = if stripes.is_empty() {
        p5
    } else {
        let mut lanes = [p1.wrapping_add(p2), p2, 0, 0_u64.wrapping_sub(p1)];
        for stripe in stripes {
            for (lane, word) in lanes.iter_mut().zip(stripe.as_chunks::<8>().0) {
                *lane = round(*lane, u64::from_le_bytes(*word));
            }
        }
        let mut hash = lanes
            .iter()
            .zip([1, 7, 12, 18])
            .fold(0_u64, |sum, (lane, turn)| sum.wrapping_add(lane.rotate_left(turn)));
        for lane in lanes {
            hash = (hash ^ round(0, lane)).wrapping_mul(p1).wrapping_add(p4);
        }
        hash
    };
    hash = hash.wrapping_add(bytes.len() as u64);
    let (words, rest) = rest.as_chunks::<8>();
    for word in words {
        hash ^= round(0, u64::from_le_bytes(*word));
        hash = hash.rotate_left(27).wrapping_mul(p1).wrapping_add(p4);
    }
    let (halves, rest) = rest.as_chunks::<4>();
    for half in halves {
        hash ^= u64::from(u32::from_le_bytes(*half)).wrapping_mul(p1);
        hash = hash.rotate_left(23).wrapping_mul(p2).wrapping_add(p3);
    }
    for byte in rest {
        hash ^= u64::from(*byte).wrapping_mul(p5);
        hash = hash.rotate_left(11).wrapping_mul(p1);
    }
    hash = (hash ^ (hash >> 33)).wrapping_mul(p2);
    hash = (hash ^ (hash >> 29)).wrapping_mul(p3);
    hash ^ (hash >> 32)
}

fn round(lane: u64, word: u64) -> u64 {
    lane.wrapping_add(word.wrapping_mul(PRIMES[1])).rotate_left(31).wrapping_mul(PRIMES[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_class_has_its_known_hash() {
        for (text, hash) in [
            (String::new(), "ef46db3751d8e999"),
            ("a".into(), "d24ec4f1a98c6e5b"),
            ("abc".into(), "44bc2cf5ad770999"),
            ("x".repeat(31), "60dd0d01083b99f0"),
            ("x".repeat(32), "e2df261fc2ec30eb"),
            ("x".repeat(33), "b3fa465f554208a6"),
        ] {
            assert_eq!(xxh64_hex(text.as_bytes()), hash, "{} bytes", text.len());
        }
    }
}
