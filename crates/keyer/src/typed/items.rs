//! Lists and sets: item by item, or in the order of their canonical bytes with repeats collapsed.

use std::collections::HashSet;

use samecall_call::json::Value;
use samecall_call::shape::ItemsShape;

use super::encode::{put_length, tag};
use super::rule::TypedRule;
use super::value::{Open, Stop, Writer, parsed};

impl<'s> Writer<'s> {
    /// A value where a list or a set is declared.
    pub(super) fn items(
        &mut self,
        value: &Value<'_>,
        items: &'s ItemsShape,
        set: bool,
        open: Open,
    ) -> Result<(), Stop> {
        let accepts = |at: usize, value: &Value<'_>| match (self.shape, items.at(at)) {
            (Some(shape), Some(id)) => shape.accepts_type(id, value),
            _ => true,
        };
        match value {
            Value::Array(values) => return self.item_nodes(values, items, set, open),
            Value::Null => return self.any(value, open),
            Value::String(text) => {
                if let Some(Value::Array(values)) = parsed(text, b'[')
                    && values.iter().enumerate().all(|(at, value)| accepts(at, value))
                {
                    // Text that holds a list is no item of one, whether it is read or not: so the two rules may come in
                    // any order, at any depth.
                    if !self.rules.has(TypedRule::ListText) {
                        return self.any(value, open);
                    }
                    self.fire(TypedRule::ListText);
                    return self.item_nodes(&values, items, set, open);
                }
            }
            _ => {}
        }
        if self.rules.has(TypedRule::ListWrap) && accepts(0, value) {
            self.fire(TypedRule::ListWrap);
            return self.item_nodes(std::slice::from_ref(value), items, set, open);
        }
        self.any(value, open)
    }

    fn item_nodes(
        &mut self,
        values: &[Value<'_>],
        items: &'s ItemsShape,
        set: bool,
        open: Open,
    ) -> Result<(), Stop> {
        self.deeper()?;
        let sorted =
            set && (self.rules.has(TypedRule::SetOrder) || self.rules.has(TypedRule::SetRepeat));
        self.out.push(if set { tag::SET } else { tag::LIST });
        if sorted {
            self.set_nodes(values, items, open)?;
        } else {
            for (index, value) in values.iter().enumerate() {
                self.out.push(tag::MEMBER);
                self.enter(|| index.to_string());
                let mark = self.begin_payload_item(index);
                self.value(value, items.at(index), open)?;
                self.end_payload(mark);
                self.leave();
            }
        }
        self.out.push(tag::END);
        self.depth -= 1;
        Ok(())
    }

    /// The items of a set, in the order of their canonical bytes, each once.
    fn set_nodes(
        &mut self,
        values: &[Value<'_>],
        items: &'s ItemsShape,
        open: Open,
    ) -> Result<(), Stop> {
        let (base, payload_base) = (self.out.len(), self.payload.len());
        let mut ranges = Vec::with_capacity(values.len());
        for (index, value) in values.iter().enumerate() {
            let (start, payload_start) = (self.out.len(), self.payload.len());
            self.enter(|| index.to_string());
            // Position says nothing in a set: all items follow one field.
            self.value(value, items.rest, open)?;
            self.leave();
            ranges.push((start..self.out.len(), payload_start..self.payload.len()));
        }
        let nodes = self.out.split_off(base);
        let payloads = self.payload.split_off(payload_base);
        let mut order: Vec<(&[u8], &[u8])> = ranges
            .into_iter()
            .map(|(node, payload)| {
                (
                    &nodes[node.start - base..node.end - base],
                    &payloads[payload.start - payload_base..payload.end - payload_base],
                )
            })
            .collect();
        if self.rules.has(TypedRule::SetOrder) && !order.is_sorted() {
            order.sort_unstable();
            self.fire(TypedRule::SetOrder);
        }
        if self.rules.has(TypedRule::SetRepeat) {
            let before = order.len();
            let mut seen = HashSet::with_capacity(before);
            order.retain(|item| seen.insert(*item));
            if order.len() < before {
                self.fire(TypedRule::SetRepeat);
            }
        }
        let mut last: Option<&[u8]> = None;
        for (index, (node, payload)) in order.into_iter().enumerate() {
            // Items that differ in payload alone are one item of identity and two of payload.
            if !(self.rules.has(TypedRule::SetRepeat) && last == Some(node)) {
                self.out.push(tag::MEMBER);
                self.out.extend_from_slice(node);
            }
            last = Some(node);
            if !payload.is_empty() {
                self.payload.push(tag::AT_ITEM);
                put_length(&mut self.payload, index);
                self.payload.extend_from_slice(payload);
                self.payload.push(tag::END);
            }
        }
        Ok(())
    }
}
