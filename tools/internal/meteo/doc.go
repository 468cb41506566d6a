// Package meteo asks Open-Meteo for the weather at a point.
//
// Any value in a response may be null, so the values are pointers.
package meteo
