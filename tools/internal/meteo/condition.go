package meteo

import "fmt"

// Condition names a WMO weather code (table 4677, the part that Open-Meteo uses).
func Condition(code *int) string {
	if code == nil {
		return "unknown"
	}
	if name := conditionName(*code); name != "" {
		return name
	}
	return fmt.Sprintf("weather code %d", *code)
}

func conditionName(code int) string {
	switch code {
	case 0:
		return "clear sky"
	case 1:
		return "mainly clear"
	case 2:
		return "partly cloudy"
	case 3:
		return "overcast"
	case 45:
		return "fog"
	case 48:
		return "fog with rime"
	case 51:
		return "light drizzle"
	case 53:
		return "drizzle"
	case 55:
		return "dense drizzle"
	case 56:
		return "light freezing drizzle"
	case 57:
		return "freezing drizzle"
	case 61:
		return "light rain"
	case 63:
		return "rain"
	case 65:
		return "heavy rain"
	case 66:
		return "light freezing rain"
	case 67:
		return "heavy freezing rain"
	case 71:
		return "light snow"
	case 73:
		return "snow"
	case 75:
		return "heavy snow"
	case 77:
		return "snow grains"
	case 80:
		return "light rain showers"
	case 81:
		return "rain showers"
	case 82:
		return "violent rain showers"
	case 85:
		return "light snow showers"
	case 86:
		return "heavy snow showers"
	case 95:
		return "thunderstorm"
	case 96:
		return "thunderstorm with light hail"
	case 99:
		return "thunderstorm with heavy hail"
	}
	return ""
}

// Compass names the direction that wind comes from.
func Compass(degrees float64) string {
	names := [...]string{"N", "NE", "E", "SE", "S", "SW", "W", "NW"}
	return names[((int(degrees+22.5)/45)%8+8)%8]
}
