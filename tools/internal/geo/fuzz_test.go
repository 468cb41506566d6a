package geo

import (
	"math"
	"testing"
)

func FuzzParsePoint(f *testing.F) {
	for _, text := range []string{"52.5, 13.4", "52,5 13,4", "-91,0", "1e999,0", "N52 E13", "NaN,1", "Berlin", "52.5;13.4"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		point, ok, err := parsePoint(text)
		if ok && err == nil && (!(math.Abs(point.Lat) <= 90) || !(math.Abs(point.Lng) <= 180)) {
			t.Errorf("%q is %v", text, point)
		}
	})
}
