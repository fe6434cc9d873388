//! Finding the tool of a call: by key, by name, or from a schema that the record carries.

use crate::catalog::{Catalog, Tool};
use crate::pair::{Pair, SchemaRef};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Inline schemas kept compiled; further ones are compiled anew at each use, so that memory does not
/// grow with the input.
const MAX_INLINE: usize = 4_096;

/// A catalog, and the inline schemas met so far.
#[derive(Debug, Default)]
pub struct Resolver {
    catalog: Catalog,
    inline: Mutex<HashMap<(String, String), Arc<Tool>>>,
}

impl Resolver {
    /// Finds tools in this catalog.
    pub fn new(catalog: Catalog) -> Self {
        Resolver { catalog, inline: Mutex::default() }
    }

    /// The catalog.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// The tool that a record's schema reference means for a call of `name`; none where no catalog
    /// knows it. The overlay's annotations for `name` hold for inline schemas too.
    ///
    /// # Errors
    /// A sentence, when an inline schema has a misspelt annotation.
    pub fn resolve(&self, name: &str, schema: &SchemaRef) -> Result<Option<Arc<Tool>>, String> {
        let text = match schema {
            SchemaRef::ByName => return Ok(self.catalog.by_name(name).cloned()),
            SchemaRef::Key(key) => {
                let tool = self.catalog.by_key(key).or_else(|| self.catalog.by_name(name));
                return Ok(tool.cloned());
            }
            SchemaRef::Inline(text) => text,
        };
        let name = self.catalog.overlay().canonical_name(name);
        let key = (name.to_owned(), text.clone());
        if let Some(tool) = self.lock().get(&key) {
            return Ok(Some(Arc::clone(tool)));
        }
        let tool = Tool::new(name, "", text, Some(self.catalog.overlay()))
            .map_err(|reason| format!("`parameters`: {reason}"))?;
        let tool = Arc::new(tool);
        let mut inline = self.lock();
        if inline.len() < MAX_INLINE {
            inline.insert(key, Arc::clone(&tool));
        }
        Ok(Some(tool))
    }

    /// The tools of a pair's two calls: each by its own name, or what the pair names for both.
    ///
    /// # Errors
    /// As [`Resolver::resolve`].
    pub fn resolve_pair(&self, pair: &Pair) -> Result<[Option<Arc<Tool>>; 2], String> {
        let mut a = self.resolve(&pair.a.tool, &pair.schema)?;
        // An inline schema does not say which of two names is the tool's own: the one that is no alias of it.
        if let (SchemaRef::Inline(_), Some(tool)) = (&pair.schema, &a)
            && tool.shape.tool_aliases.contains(&pair.a.tool)
            && !tool.shape.tool_aliases.contains(&pair.b.tool)
        {
            a = self.resolve(&pair.b.tool, &pair.schema)?;
        }
        let b = match pair.schema {
            SchemaRef::ByName if pair.a.tool != pair.b.tool => {
                self.resolve(&pair.b.tool, &pair.schema)?
            }
            _ => a.clone(),
        };
        Ok([a, b])
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<(String, String), Arc<Tool>>> {
        // The map is whole after every operation, so a panic elsewhere leaves nothing half-done.
        self.inline.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
