//! Points in time and times of day in other spellings.

use crate::choice::Choices;
use crate::moment::{Zone, push_padded};
use crate::plan::Kind;
use crate::production::Production as P;
use crate::tree::{Node, Val};

const OFFSETS: [i16; 9] = [60, 120, -300, -480, 330, 345, 540, -210, 765];

pub(super) fn apply(production: P, node: &mut Node<'_>, c: &mut Choices<'_>) -> bool {
    if production == P::TimeOffset {
        let Val::Text(text) = &node.value else { return false };
        return match other_offset(text, c) {
            Some(new) => {
                node.value = Val::Text(new.into());
                true
            }
            None => false,
        };
    }
    let may_be_epoch =
        matches!(node.plan.kind, Kind::Instant { epoch: true }) && node.plan.coerces();
    let Val::Instant(moment) = &mut node.value else { return false };
    let before = moment.clone();
    match production {
        P::InstantEpoch => {
            moment.epoch |= may_be_epoch && moment.zoned() && !moment.leap;
            return *moment != before;
        }
        P::Subsecond if moment.fraction_digits == 0 && !moment.leap => {
            moment.fraction_digits = c.of(&[3, 1, 6]);
            return true;
        }
        P::InstantFractionPad if moment.fraction_digits > 0 => {
            moment.fraction_digits = (moment.fraction_digits + 3).min(12);
            return *moment != before;
        }
        _ => {}
    }
    if moment.epoch {
        return false;
    }
    match production {
        P::InstantOffset if moment.zoned() && !moment.leap => {
            let minutes = c.of(&OFFSETS);
            if let Zone::Offset { minutes: now, .. } = moment.zone
                && now == minutes
            {
                return false;
            }
            moment.zone = Zone::Offset { minutes, colon: true, negative_zero: false };
        }
        P::InstantZeroOffset if !moment.leap => {
            moment.zone = match moment.zone {
                Zone::Zulu => {
                    Zone::Offset { minutes: 0, colon: true, negative_zero: c.permille(400) }
                }
                Zone::Offset { minutes: 0, .. } => Zone::Zulu,
                other => other,
            };
        }
        P::InstantNoColon => {
            if let Zone::Offset { colon, .. } = &mut moment.zone {
                *colon = false;
            }
        }
        // With a space for the T, only a Z shows the case.
        P::InstantLower if !moment.space || moment.zone == Zone::Zulu => moment.lower = true,
        P::InstantSpace => moment.space = true,
        P::InstantNoSeconds => moment.no_seconds |= moment.whole_minute(),
        _ => {}
    }
    *moment != before
}

/// The same time of day, modulo a day, in another offset; none where it has no zone.
fn other_offset(text: &str, c: &mut Choices<'_>) -> Option<String> {
    let number = |range: std::ops::Range<usize>| text.get(range)?.parse::<i64>().ok();
    let (hours, minutes, seconds) = (number(0..2)?, number(3..5)?, text.get(5..8)?);
    let now = match text.get(8..)? {
        "Z" => 0,
        zone => {
            let size = number(9..11)? * 60 + number(12..14)?;
            if zone.starts_with('-') { -size } else { size }
        }
    };
    let new = c.of(&[0, 60, -300, 330, 540]);
    if new == now {
        return None;
    }
    let local = (hours * 60 + minutes - now + new).rem_euclid(1440);
    let mut out = String::with_capacity(14);
    push_padded(&mut out, local / 60, 2);
    out.push(':');
    push_padded(&mut out, local % 60, 2);
    out.push_str(seconds);
    out.push(if new < 0 { '-' } else { '+' });
    push_padded(&mut out, new / 60, 2);
    out.push(':');
    push_padded(&mut out, new % 60, 2);
    Some(out)
}
