// Package weather tells the weather now and in the days to come.
package weather
