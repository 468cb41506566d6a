package meteo

import "fmt"

// Condition describes a WMO weather code in words. The codes are from WMO table 4677, but only
// those that Open-Meteo uses have names.
func Condition(code *int) string {
	if code == nil {
		return "unknown"
	}
	if name := conditionNames[*code]; name != "" {
		return name
	}
	return fmt.Sprintf("weather code %d", *code)
}

var conditionNames = map[int]string{
	0:  "clear sky",
	1:  "mainly clear",
	2:  "partly cloudy",
	3:  "overcast",
	45: "fog",
	48: "fog with rime",
	51: "light drizzle",
	53: "drizzle",
	55: "dense drizzle",
	56: "light freezing drizzle",
	57: "freezing drizzle",
	61: "light rain",
	63: "rain",
	65: "heavy rain",
	66: "light freezing rain",
	67: "heavy freezing rain",
	71: "light snow",
	73: "snow",
	75: "heavy snow",
	77: "snow grains",
	80: "light rain showers",
	81: "rain showers",
	82: "violent rain showers",
	85: "light snow showers",
	86: "heavy snow showers",
	95: "thunderstorm",
	96: "thunderstorm with light hail",
	99: "thunderstorm with heavy hail",
}

// Compass returns the direction from which the wind comes.
func Compass(degrees float64) string {
	names := [...]string{"N", "NE", "E", "SE", "S", "SW", "W", "NW"}
	return names[((int(degrees+22.5)/45)%8+8)%8]
}
