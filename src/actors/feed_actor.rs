//! FeedActor
