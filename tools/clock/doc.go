// Package clock tells the time and date, here and at other places, and the weekday of a date.
//
// zones.txt lists large cities and countries. Each line has an IANA time zone and the names of its
// places in English, German and French. The file is embedded and parsed on first use. For any other
// place, the package tries the names in the time zone database. If that fails, tools/internal/geo
// finds the place's position, and the weather service provides the time zone there.
//
// The package does not embed time/tzdata (450 KB), because every desktop system has the time zone
// database.
package clock
