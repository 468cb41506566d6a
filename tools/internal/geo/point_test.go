package geo

import (
	"math"
	"strings"
	"testing"
)

func TestCoordinatesAreReadAsUsersWriteThem(t *testing.T) {
	for text, want := range map[string]Point{
		"51.5,-0.12": {51.5, -0.12}, " 51.5 , -0.12 ": {51.5, -0.12}, "(51.5, -0.12)": {51.5, -0.12}, "51.5 -0.12": {51.5, -0.12},
		"0,0": {}, "-90,180": {-90, 180},
	} {
		if got, ok, err := parsePoint(text); got != want || !ok || err != nil {
			t.Errorf("%q: %v, %v, %v", text, got, ok, err)
		}
	}
	for _, text := range []string{"", "51.5", "High St, 1", "1,2,3", "51.5,", "12 High"} {
		if _, ok, err := parsePoint(text); ok || err != nil {
			t.Errorf("%q is taken for coordinates: %v", text, err)
		}
	}
	for _, text := range []string{"151.5,-0.12", "0,181", "NaN,1", "1,Inf"} {
		if _, _, err := parsePoint(text); err == nil || !strings.Contains(err.Error(), "swapped") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestZeroIsACoordinateAndHalfAPointIsNone(t *testing.T) {
	zero := 0.0
	if point, err := OptionalPoint(&zero, &zero); err != nil || point == nil || *point != (Point{}) {
		t.Errorf("%v, %v", point, err)
	}
	if point, err := OptionalPoint(nil, nil); err != nil || point != nil {
		t.Errorf("%v, %v", point, err)
	}
	if _, err := OptionalPoint(&zero, nil); err == nil {
		t.Error("half a point was taken")
	}
}

// Distances of https://geographiclib.sourceforge.io differ by less than 0.5 %, because the earth is
// not a sphere.
func TestDistances(t *testing.T) {
	berlin, paris := Point{52.52, 13.405}, Point{48.8566, 2.3522}
	for _, test := range []struct {
		a, b Point
		want float64
	}{
		{berlin, paris, 879_700}, {berlin, berlin, 0}, {Point{0, 179.5}, Point{0, -179.5}, 111_320}, {Point{90, 0}, Point{-90, 0}, 20_003_931},
	} {
		if got := Distance(test.a, test.b); math.Abs(got-test.want) > 0.005*test.want {
			t.Errorf("%v to %v: %.0f, want %.0f", test.a, test.b, got, test.want)
		}
	}
	for _, test := range []struct{ a, b, want Point }{
		{Point{10, 20}, Point{20, 40}, Point{15, 30}}, {Point{0, 170}, Point{0, -160}, Point{0, -175}}, {Point{0, -170}, Point{0, 160}, Point{0, 175}},
	} {
		if got := Midpoint(test.a, test.b); got != test.want {
			t.Errorf("between %v and %v: %v", test.a, test.b, got)
		}
	}
	if Metres(999.49) != "999 m" || Metres(999.5) != "1.0 km" || Metres(350.4) != "350 m" || Metres(999.6) != "1.0 km" || (Point{51.5, -0.1234567}).String() != "51.5, -0.123457" {
		t.Error(Metres(350.4), Metres(999.6), Point{51.5, -0.1234567})
	}
}

func TestABoxHoldsItsCircle(t *testing.T) {
	for _, center := range []Point{{0, 0}, {59.86, 17.64}, {-89.999, 3}, {90, 0}, {5, 180}} {
		west, north, east, south := box(center, 5000)
		if west > center.Lng || east < center.Lng || north < center.Lat || south > center.Lat || west < -180 || east > 180 || north > 90 || south < -90 {
			t.Errorf("%v: %v %v %v %v", center, west, north, east, south)
		}
		if width := Distance(center, Point{center.Lat, west}); center.Lat > -80 && center.Lat < 80 && math.Abs(width-5000) > 50 {
			t.Errorf("%v: %.0f m to the west", center, width)
		}
	}
}
