package travel

import (
	"math"
	"testing"
	"time"

	"marvin/tools/internal/meteo"
)

func TestTheHourCountsForCarsOnly(t *testing.T) {
	want := []float64{0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 1, 1.5, 1.5, 1.5, 1, 1.2, 1.2, 1.2, 1, 1, 1.6, 1.6, 1.6, 1.15, 1.15, 1.15, 0.9, 0.9}
	for hour, times := range want {
		if got := hourFactor("driving", monday(hour), true); got.times != times {
			t.Errorf("%d:00 ×%v", hour, got.times)
		}
		if got := hourFactor("walking", monday(hour), true); got.times != 1 {
			t.Errorf("walking at %d:00 ×%v", hour, got.times)
		}
	}
}

func monday(hour int) time.Time { return time.Date(2026, 11, 23, hour, 30, 0, 0, time.UTC) }

func TestNoRushHourOnSunday(t *testing.T) {
	for days, want := range map[int]map[int]float64{
		-1: {3: 0.9, 8: 1, 12: 1.1, 17: 1.1, 20: 1}, // Sunday
		-2: {8: 1, 13: 1.1, 23: 0.9},
		-3: {8: 1.5, 17: 1.6}, // Friday
	} {
		for hour, times := range want {
			if got := hourFactor("driving", monday(hour).AddDate(0, 0, days), true); got.times != times {
				t.Errorf("%s: %v, want ×%v", monday(hour).AddDate(0, 0, days).Format("Mon 15:04"), got, times)
			}
		}
	}
	if got := hourFactor("driving", monday(8), false); got.times != 1 {
		t.Errorf("an hour of another time zone: %v", got)
	}
}

func TestTheWeatherCounts(t *testing.T) {
	want := map[float64][]int{
		1:    {0, 1, 2, 3, 4},
		1.1:  {51, 53, 55},
		1.2:  {61, 63, 80, 81},
		1.3:  {45, 48, 56, 57, 66, 95, 96, 99},
		1.35: {65, 67, 82},
		1.5:  {71, 73, 75, 77, 85, 86},
	}
	for times, codes := range want {
		for _, code := range codes {
			if got := fallingFactor(meteo.Current{Code: &code}); got.times != times {
				t.Errorf("code %d: ×%v, want ×%v", code, got.times, times)
			}
		}
	}
	code, snow, none := 63, 0.1, 0.0
	if got := fallingFactor(meteo.Current{Code: &code, Snowfall: &snow}); got.times != 1.5 {
		t.Errorf("rain with snow: %v", got)
	}
	if got := fallingFactor(meteo.Current{Code: &code, Snowfall: &none}); got.times != 1.2 {
		t.Errorf("rain without snow: %v", got)
	}
	if got := fallingFactor(meteo.Current{}); got.times != 1 || got.reason != "weather not known" {
		t.Errorf("no weather: %v", got)
	}
}

func TestAStormIsAddedToTheWeatherBeforeTheHourMultiplies(t *testing.T) {
	code, breeze, storm := 63, 60.0, 60.1
	for wind, want := range map[*float64]float64{nil: 1.5 * 1.2, &breeze: 1.5 * 1.2, &storm: 1.5 * 1.3} {
		f := factorsOf("driving", monday(8), true, meteo.Current{Code: &code, Wind: wind})
		if math.Abs(f.combined()-want) > 1e-9 {
			t.Errorf("%s is %v, want %v", f, f.combined(), want)
		}
	}
}
