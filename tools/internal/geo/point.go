package geo

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"marvin/tools"
)

// Point is a position in degrees (WGS 84).
type Point struct{ Lat, Lng float64 }

// String returns "lat, lng" with at most six decimals, which are precise to 0.1 m.
func (p Point) String() string { return degrees(p.Lat) + ", " + degrees(p.Lng) }

func degrees(value float64) string {
	return strconv.FormatFloat(math.Round(value*1e6)/1e6, 'f', -1, 64)
}

// Query formats a coordinate for use in a query.
func Query(value float64) string { return strconv.FormatFloat(value, 'f', 6, 64) }

// NewPoint returns an error for invalid coordinates.
func NewPoint(lat, lng float64) (Point, error) {
	if !(math.Abs(lat) <= 90 && math.Abs(lng) <= 180) { // the comparisons are false for NaN
		return Point{}, tools.Advise(fmt.Errorf("%g, %g is not a position", lat, lng),
			"Latitude must be between -90 and 90, longitude between -180 and 180; perhaps they are swapped.")
	}
	return Point{lat, lng}, nil
}

// OptionalPoint returns the point at lat and lng, or nil if both are nil. If only one is nil, it
// returns an error.
func OptionalPoint(lat, lng *float64) (*Point, error) {
	switch {
	case lat == nil && lng == nil:
		return nil, nil
	case lat == nil || lng == nil:
		return nil, tools.Advise(errors.New("give latitude and longitude together"), "Give both or neither.")
	}
	point, err := NewPoint(*lat, *lng)
	return &point, err
}

// parsePoint parses "lat,lng", with optional brackets and spaces. It returns false if text is not
// two numbers, and an error if the numbers are not a valid position.
func parsePoint(text string) (point Point, ok bool, err error) {
	text = strings.Trim(strings.TrimSpace(text), "()[]")
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
	if len(parts) != 2 {
		return Point{}, false, nil
	}
	lat, wrongLat := strconv.ParseFloat(parts[0], 64)
	lng, wrongLng := strconv.ParseFloat(parts[1], 64)
	if wrongLat != nil || wrongLng != nil {
		return Point{}, false, nil
	}
	point, err = NewPoint(lat, lng)
	return point, true, err
}

const earthRadius = 6371008.8 // the mean radius in meters, from the IUGG

// Distance returns the distance between two points along the earth's surface, in meters.
func Distance(a, b Point) float64 {
	const radians = math.Pi / 180
	sinLat := math.Sin((b.Lat - a.Lat) * radians / 2)
	sinLng := math.Sin((b.Lng - a.Lng) * radians / 2)
	h := sinLat*sinLat + math.Cos(a.Lat*radians)*math.Cos(b.Lat*radians)*sinLng*sinLng
	return 2 * earthRadius * math.Asin(math.Sqrt(min(1, h)))
}

// Midpoint returns the point half way between two points, even across the date line.
func Midpoint(a, b Point) Point {
	lng := b.Lng
	if lng-a.Lng > 180 {
		lng -= 360
	} else if a.Lng-lng > 180 {
		lng += 360
	}
	middle := (a.Lng + lng) / 2
	if middle > 180 {
		middle -= 360
	} else if middle < -180 {
		middle += 360
	}
	return Point{(a.Lat + b.Lat) / 2, middle}
}

// Metres formats a short distance: "350 m", "1.2 km".
func Metres(distance float64) string {
	if distance < 999.5 {
		return fmt.Sprintf("%.0f m", distance)
	}
	return fmt.Sprintf("%.1f km", distance/1000)
}

// box returns the edges of the square around a circle, in degrees. The radius is in meters.
func box(center Point, radius float64) (west, north, east, south float64) {
	lat := radius / (earthRadius * math.Pi / 180)
	lng := 180.0 // at the poles
	if width := math.Cos(center.Lat * math.Pi / 180); width > lat/180 {
		lng = min(180, lat/width)
	}
	return max(-180, center.Lng-lng), min(90, center.Lat+lat), min(180, center.Lng+lng), max(-90, center.Lat-lat)
}
