// Package meteo asks Open-Meteo for the weather at a point.
//
// Any value in a response may be null, so all values are pointers.
package meteo
