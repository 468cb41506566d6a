// Package weather shows the current weather and the forecast.
package weather
