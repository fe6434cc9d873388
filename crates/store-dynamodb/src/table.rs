//! Making the table.

use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, KeySchemaElement, KeyType, ScalarAttributeType,
    TimeToLiveSpecification,
};
use samecall_store::{Error, Result};

use crate::{DynamoStore, failure};

impl DynamoStore {
    /// Creates the store's table, paid by request. Records are deleted by DynamoDB only once [`Self::enable_ttl`] has
    /// been called, which needs the table to be active.
    ///
    /// # Errors
    /// The table exists, or may not be created.
    pub async fn create_table(&self) -> Result<()> {
        let refused =
            |e: aws_sdk_dynamodb::error::BuildError| Error::Remote { reason: e.to_string() };
        let attribute = AttributeDefinition::builder()
            .attribute_name("pk")
            .attribute_type(ScalarAttributeType::S)
            .build()
            .map_err(refused)?;
        let key = KeySchemaElement::builder()
            .attribute_name("pk")
            .key_type(KeyType::Hash)
            .build()
            .map_err(refused)?;
        let create = self
            .client
            .create_table()
            .table_name(&self.table)
            .attribute_definitions(attribute)
            .key_schema(key)
            .billing_mode(BillingMode::PayPerRequest);
        create.send().await.map_err(|e| failure::of(&e, &self.table))?;
        Ok(())
    }

    /// Lets DynamoDB delete records and marks whose time is over, by their `ttl` attribute, in seconds.
    ///
    /// # Errors
    /// The table is not active yet, or the setting may not be changed.
    pub async fn enable_ttl(&self) -> Result<()> {
        let setting = TimeToLiveSpecification::builder()
            .enabled(true)
            .attribute_name("ttl")
            .build()
            .map_err(|e| Error::Remote { reason: e.to_string() })?;
        let update = self.client.update_time_to_live().table_name(&self.table);
        let update = update.time_to_live_specification(setting);
        update.send().await.map_err(|e| failure::of(&e, &self.table))?;
        Ok(())
    }
}
