// Package clock tells the time and the date, here and elsewhere, and which weekday a
// date is.
//
// Large cities and countries are in a list that is embedded and read on first use
// (zones.txt: an IANA time zone and what people call its places in English, German and
// French). Any other place is looked up on the map, and the weather service knows its
// time zone.
//
// Decided against: embedding time/tzdata (450 KB), which every desktop has.
package clock
