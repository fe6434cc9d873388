//! The SDK's errors as the store's: what is wrong, and what to do, without anything that was sent.

use std::collections::HashMap;
use std::error::Error as _;

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::delete_item::DeleteItemError;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::AttributeValue;
use samecall_store::{Error, Result};

/// The attributes of an item.
pub(crate) type Attributes = HashMap<String, AttributeValue>;

/// What became of a conditional write.
pub(crate) enum Conditional {
    /// The condition held, and the write is done.
    Written,
    /// It did not hold; the old item, where the server returned one.
    Failed(Option<Attributes>),
}

/// An error of an operation that can fail on its condition.
pub(crate) trait OnCondition: ProvideErrorMetadata {
    /// The old item, if it is that error.
    fn old_item(self) -> Result<Option<Attributes>, Self>
    where
        Self: Sized;
}

macro_rules! on_condition {
    ($($error:ident),*) => {$(
        impl OnCondition for $error {
            fn old_item(self) -> Result<Option<Attributes>, Self> {
                match self {
                    $error::ConditionalCheckFailedException(failed) => Ok(failed.item),
                    other => Err(other),
                }
            }
        }
    )*};
}
on_condition!(PutItemError, UpdateItemError, DeleteItemError);

/// Sorts the outcome of a conditional write.
pub(crate) fn conditional<T, E, R>(
    outcome: Result<T, SdkError<E, R>>,
    table: &str,
) -> Result<Conditional>
where
    E: OnCondition + std::error::Error + 'static,
    R: std::fmt::Debug,
{
    match outcome {
        Ok(_) => Ok(Conditional::Written),
        Err(SdkError::ServiceError(context)) => match context.into_err().old_item() {
            Ok(item) => Ok(Conditional::Failed(item)),
            Err(error) => Err(service(&error, table)),
        },
        Err(error) => Err(of(&error, table)),
    }
}

/// Any error of the SDK.
pub(crate) fn of<E, R>(error: &SdkError<E, R>, table: &str) -> Error
where
    E: ProvideErrorMetadata + std::error::Error + 'static,
    R: std::fmt::Debug,
{
    if let Some(error) = error.as_service_error() {
        return service(error, table);
    }
    // The causes say what it was: a refused connection, a name that does not resolve, credentials that are not there.
    let mut reason = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        reason = format!("{reason}: {error}");
        cause = error.source();
    }
    if reason.contains("credentials") { Error::Denied { reason } } else { Error::Remote { reason } }
}

/// An answer of the service.
fn service(error: &impl ProvideErrorMetadata, table: &str) -> Error {
    let code = error.code().unwrap_or("no error code");
    let reason = match error.message() {
        Some(message) => format!("{code}: {message}"),
        None => code.to_owned(),
    };
    match code {
        "ResourceNotFoundException" => Error::MissingTable { table: table.to_owned() },
        "AccessDeniedException"
        | "ExpiredTokenException"
        | "IncompleteSignatureException"
        | "InvalidClientTokenId"
        | "InvalidSignatureException"
        | "MissingAuthenticationTokenException"
        | "SignatureDoesNotMatch"
        | "UnrecognizedClientException" => Error::Denied { reason },
        "ProvisionedThroughputExceededException"
        | "RequestLimitExceeded"
        | "ThrottlingException" => Error::Throttled { reason },
        // A validation's message may quote what was sent.
        "ValidationException" => Error::Remote {
            reason: format!(
                "{code}: table {table} does not take such an item; its partition key must be a string named \"pk\", \
                 and it must have no sort key"
            ),
        },
        _ => Error::Remote { reason },
    }
}
