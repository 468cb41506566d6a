// Package units converts units of measure and currencies.
//
// All units are in one table. If a unit has an exact definition, its factor is exact. The case of
// letters matters only if it distinguishes units (MB and Mb, mW and MW).
//
// The library bcicen/go-units is not used: it has no speed, area or fuel economy, adds 1.0 ms to
// every start of Marvin, and adds 600 KB (measured, v1.0.5). The table here is static data and does
// not slow down the start. google/go-units and martinlindhe/unit are not used, because they do not
// know units by name.
package units
