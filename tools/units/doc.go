// Package units converts units of measure and currencies.
//
// All units are in one table. If a unit has an exact definition, its factor is exact. The case of
// letters matters only if it distinguishes units (MB and Mb, mW and MW).
//
// The package does not use bcicen/go-units, because that library has no units of speed, area or
// fuel economy. It would also add 1.0 ms to Marvin's startup time and 600 KB to the binary
// (measured with v1.0.5). The table here is static data and does not slow down startup.
// google/go-units and martinlindhe/unit cannot look up units by name.
package units
