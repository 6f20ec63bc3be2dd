//! The exporter.
