// Package clock tells the time and date, here and in other places, and the weekday of a date.
//
// zones.txt lists large cities and countries. Each line has an IANA time zone and the names of its
// places in English, German and French. The file is embedded and parsed on first use. The package
// looks up any other place on the map, and gets its time zone from the weather service.
//
// The package does not embed time/tzdata (450 KB), because every desktop system has the time zone
// database.
package clock
