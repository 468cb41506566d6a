package when

import (
	"errors"
	"math"
	"strconv"
	"testing"
)

func TestAmounts(t *testing.T) {
	for text, want := range map[string]Amount{
		"50 dollars": {50, "dollars", "USD"}, "50 Euro": {50, "euro", "EUR"}, "$1,234.5": {1234.5, "$", "USD"}, "$1,234": {1234, "$", "USD"}, "$5": {5, "$", "USD"}, "5$": {5, "$", "USD"},
		"1.000,50 €": {1000.5, "€", "EUR"}, "1.234 €": {1234, "€", "EUR"}, "€1,234": {1234, "€", "EUR"}, "1 000,50 €": {1000.5, "€", "EUR"}, "1'000.50 CHF": {1000.5, "chf", "CHF"}, "1 000 €": {1000, "€", "EUR"},
		"1,000,000 JPY": {1e6, "jpy", "JPY"}, "1,000 JPY": {1000, "jpy", "JPY"}, "1.000.000 yen": {1e6, "yen", "JPY"}, "USD 20": {20, "usd", "USD"}, "-3,5 km": {-3.5, "km", ""}, "−3 °C": {-3, "°c", ""},
		"5k": {5000, "", ""}, "$5k": {5000, "$", "USD"}, "5k euros": {5000, "euros", "EUR"}, "2 million yen": {2e6, "yen", "JPY"}, "1,5 Millionen Euro": {1.5e6, "euro", "EUR"}, "3 Mrd. €": {3e9, "€", "EUR"},
		"12.5": {12.5, "", ""}, "12,5": {12.5, "", ""}, "1.234": {1.234, "", ""}, "0,125 l": {0.125, "l", ""}, "12345,678": {12345.678, "", ""}, "1,234,567.89": {1234567.89, "", ""}, "7": {7, "", ""},
		"10 pounds": {10, "pounds", ""}, "10 pounds sterling": {10, "pounds sterling", "GBP"}, "£10": {10, "£", "GBP"}, "fifty dollars": {50, "dollars", "USD"}, "zwanzig Euro": {20, "euro", "EUR"}, "half a mile": {0.5, "mile", ""}, "2½ miles": {2.5, "miles", ""},
		"12 square feet": {12, "square feet", ""}, "5 kg": {5, "kg", ""},
	} {
		if got, err := ParseAmount(text); err != nil || got != want {
			t.Errorf("%q: %+v, %v, want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"1,234", "1,234 km", "1,234 €", "$1.234", "1.234 dollars", "2 billion dollars"} {
		if got, err := ParseAmount(text); !errors.As(err, new(*Ambiguous)) {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "dollars", "1.2.3", "1,23,4", "$", "km 5", "1,234.567,8", "1..2", "--5", "x5 $", "$5 €", "1e999", "6'2", "6'2000", "1 2", "1 000 00"} {
		if got, err := ParseAmount(text); err == nil && text != "1e999" {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func FuzzAmount(f *testing.F) {
	for _, text := range []string{"$1,234.5", "1.000,50 €", "5k", "-3,5 km", "2½ miles", "1'000", "0.5", "٣"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		found, err := ParseAmount(text)
		if err != nil {
			return
		}
		plain := strconv.FormatFloat(math.Abs(found.Value), 'f', -1, 64)
		if again, err := ParseAmount(plain); err != nil || again.Value != math.Abs(found.Value) || math.IsNaN(found.Value) {
			t.Errorf("%q is %v, written %q, which is %v, %v", text, found, plain, again, err)
		}
	})
}
