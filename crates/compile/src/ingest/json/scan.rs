//! Where the brackets are: 64 bytes at a time, strings left out.

use wide::u8x16;

/// The bytes looked at together.
pub(super) const BLOCK: usize = 64;

/// A bit for each byte of a block.
#[derive(Clone, Copy, Default)]
pub(super) struct Masks {
    /// `{` and `[` outside strings.
    pub(super) open: u64,
    /// `}` and `]` outside strings.
    pub(super) close: u64,
    /// Commas outside strings.
    pub(super) commas: u64,
    /// Line feeds, wherever they stand.
    pub(super) line_feeds: u64,
}

/// What one block leaves for the next.
#[derive(Clone, Copy, Default)]
pub(super) struct Scanner {
    /// All ones inside a string, else zero.
    in_string: u64,
    /// One where the next byte is escaped.
    escape: u64,
}

impl Scanner {
    pub(super) fn scan(&mut self, block: &[u8; BLOCK]) -> Masks {
        let raw = RawMasks::of(block);
        let quotes = raw.quotes & !self.escaped(raw.backslashes);
        // A byte is inside a string where an odd number of quotes stand at or before it.
        let inside = prefix_xor(quotes) ^ self.in_string;
        self.in_string = if inside >> 63 == 1 { u64::MAX } else { 0 };
        Masks {
            open: raw.open & !inside,
            close: raw.close & !inside,
            commas: raw.commas & !inside,
            line_feeds: raw.line_feeds,
        }
    }

    /// Whether what was scanned so far ends inside a string.
    pub(super) const fn inside_string(self) -> bool {
        self.in_string != 0
    }

    /// The bytes that a backslash before them takes the meaning from. Backslashes are rare, so they
    /// are walked one by one.
    const fn escaped(&mut self, backslashes: u64) -> u64 {
        let mut escaped = self.escape;
        let mut rest = backslashes & !escaped;
        self.escape = 0;
        while rest != 0 {
            let one = rest & rest.wrapping_neg();
            if one >> 63 == 1 {
                self.escape = 1;
            }
            escaped |= one << 1;
            rest &= !(one | one << 1);
        }
        escaped
    }
}

#[derive(Default)]
struct RawMasks {
    quotes: u64,
    backslashes: u64,
    open: u64,
    close: u64,
    commas: u64,
    line_feeds: u64,
}

impl RawMasks {
    #[inline]
    fn of(block: &[u8; BLOCK]) -> Self {
        let mut masks = Self::default();
        let (parts, _) = block.as_chunks::<16>();
        for (at, part) in parts.iter().enumerate() {
            let bytes = u8x16::new(*part);
            // '[' and ']' differ from '{' and '}' in this bit alone.
            let folded = bytes | u8x16::splat(0x20);
            let mask = |bytes: u8x16, byte: u8| {
                u64::from(bytes.simd_eq(u8x16::splat(byte)).to_bitmask()) << (16 * at)
            };
            masks.quotes |= mask(bytes, b'"');
            masks.backslashes |= mask(bytes, b'\\');
            masks.open |= mask(folded, b'{');
            masks.close |= mask(folded, b'}');
            masks.commas |= mask(bytes, b',');
            masks.line_feeds |= mask(bytes, b'\n');
        }
        masks
    }
}

/// Each bit becomes the exclusive or of itself and all lower ones.
const fn prefix_xor(mut bits: u64) -> u64 {
    let mut shift = 1;
    while shift < 64 {
        bits ^= bits << shift;
        shift *= 2;
    }
    bits
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The same, a byte at a time.
    fn plainly(text: &[u8]) -> Vec<(bool, bool, bool)> {
        let (mut in_string, mut escaped) = (false, false);
        text.iter()
            .map(|byte| {
                let quote = *byte == b'"' && !escaped;
                in_string ^= quote;
                escaped = *byte == b'\\' && !escaped;
                let outside = !in_string;
                (outside && b"{[".contains(byte), outside && b"}]".contains(byte), outside && *byte == b',')
            })
            .collect()
    }

    proptest! {
        #[test]
        fn agrees_with_a_byte_at_a_time(mut text in r#"[\\\\"{}\[\],a\n]{0,400}"#) {
            while text.len() % BLOCK != 0 {
                text.push(' ');
            }
            let mut scanner = Scanner::default();
            let mut found = Vec::new();
            for block in text.as_bytes().as_chunks::<BLOCK>().0 {
                let masks = scanner.scan(block);
                found.extend((0..64).map(|at| {
                    (masks.open >> at & 1 == 1, masks.close >> at & 1 == 1, masks.commas >> at & 1 == 1)
                }));
            }
            prop_assert_eq!(found, plainly(text.as_bytes()));
        }
    }
}
