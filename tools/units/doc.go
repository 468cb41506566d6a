// Package units converts units of measure and currencies.
//
// All units are in one table, with factors that are exact by definition where there
// is a definition. Upper and lower case count where they tell units apart (MB and
// Mb, mW and MW); elsewhere they are as people type them.
//
// Decided against bcicen/go-units: no speed, area or fuel economy, and its start
// costs every run of Marvin 1.0 ms and 600 KB (measured, v1.0.5). The table here is
// static data and costs nothing. google/go-units and martinlindhe/unit know no names.
package units
