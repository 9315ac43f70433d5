//! Opens the stores that the configuration names. Only `open_stores` and `opening` may create a store.

use crate::config::Config;
use crate::error::ProgramError;
use kvota_store::{Opening, StoreError, StoreLocation, Stores};

pub(crate) fn opening(config: &Config) -> Result<Opening, StoreError> {
    // The configuration has validated it already.
    let none = || StoreError::Unavailable { cause: "store.url is not the address of a store".to_owned() };
    Ok(Opening {
        location: StoreLocation::parse(config.store.url.reveal()).ok_or_else(none)?,
        data_folder: config.store.data_dir.clone(),
        connections_max: config.store.connections_max,
        require_tls: config.store.require_tls,
    })
}

pub(crate) async fn open_stores(config: &Config) -> Result<Stores, ProgramError> {
    Ok(kvota_store::open(&opening(config)?).await?)
}

/// Opens a store. A missing file is an error, because opening would create an empty store for a mistyped folder.
pub(crate) async fn open_existing_stores(config: &Config) -> Result<Stores, ProgramError> {
    Ok(kvota_store::open(&existing_store(config)?).await?)
}

pub(crate) fn existing_store(config: &Config) -> Result<Opening, ProgramError> {
    let opening = opening(config)?;
    if let StoreLocation::Sqlite(file) = &opening.location {
        let file = config.store.data_dir.join(file);
        if !file.exists() {
            return Err(ProgramError::NoStore { file });
        }
    }
    Ok(opening)
}
