// Package meteo asks Open-Meteo for the weather at a point.
//
// Any value of an answer may be null, so each is a pointer.
package meteo
