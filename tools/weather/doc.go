// Package weather shows the present weather and the forecast.
package weather
