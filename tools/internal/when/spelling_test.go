package when

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// Different spellings have the same meaning.
func TestSpellings(t *testing.T) {
	for text, want := range map[string]string{
		"Zwölf Äpfel": "zwoelf aepfel", "über": "ueber", "Straße": "strasse", "u\u0308ber O\u0308l a\u0308": "ueber oel ae", "e\u0308": "e", "\u0308": "",
		"midi à quatorze": "midi à quatorze", "midi a\u0300 treize": "midi à treize", "fe\u0301vrier": "fevrier", "février où près être noël": "fevrier ou pres etre noel", "août sûr": "aout sur", "pâques": "paques",
		"dîner naïf": "diner naif", "tôt": "tot", "ça": "ca", "sœur": "soeur", "o’clock ‘x’ `y´": "o'clock 'x' 'y'", "1–2—3−4‐5‑6": "1-2-3-4-5-6", "7\u00a0h\u202f30\u2009s": "7 h 30 s",
		"1½": "1 1/2 ", "¼h¾": " 1/4 h 3/4 ", "ñ日": "ñ日",
	} {
		if got := fold(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// Some abbreviations of zones have one meaning, and others several.
func TestZonesByTheirLetters(t *testing.T) {
	now := time.Date(2026, 11, 25, 9, 0, 0, 0, time.UTC)
	for name, want := range map[string]string{
		"WET": "12:00", "CET": "11:00", "MEZ": "11:00", "CEST": "10:00", "MESZ": "10:00", "EET": "10:00", "EEST": "09:00", "MSK": "09:00", "JST": "03:00", "KST": "03:00", "EST": "17:00", "EDT": "16:00", "CDT": "17:00",
		"MDT": "18:00", "MST": "19:00", "PDT": "19:00", "PST": "20:00", "UTC": "12:00", "+01:00": "11:00", "-0130": "13:30", "+1": "11:00", "+15": "21:00", "America/New_York": "17:00", "Europe/Isle_of_Man": "12:00",
	} {
		found, err := Parse("2026-12-03 12:00 "+name, now)
		if err != nil || !strings.HasSuffix(found.Time.UTC().Format("15:04"), want) {
			t.Errorf("12:00 %s is %s, %v; want %s", name, found.Time.UTC().Format("15:04"), err, want)
		}
	}
	for name, readings := range map[string]string{"IST": "+05:30 (India)", "CST": "+08:00 (China)", "BST": "+06:00 (Bangladesh)"} {
		var several *Ambiguous
		if _, err := Parse("2026-12-03 12:00 "+name, now); !errors.As(err, &several) || !strings.Contains(err.Error(), readings) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"+16", "+12:60", "Europe/Nowhere", "XYZ"} {
		if found, err := Parse("2026-12-03 12:00 "+name, now); err == nil {
			t.Errorf("12:00 %s is %s", name, found.Time)
		}
	}
}

// Currencies have several names and signs, and the currency decides whether a separator groups
// thousands.
func TestMoneyAndItsNumbers(t *testing.T) {
	for code, names := range map[string]string{
		"USD": "$|us$|dollars|usd|bucks.", "EUR": "€|euro|eur", "GBP": "£|quid|gbp", "JPY": "¥|yen|jpy", "CNY": "yuan|rmb", "CHF": "franken|chf|fr.", "INR": "₹|rupees|rupien", "SEK": "swedish krona|sek", "NOK": "norwegian kroner|nok",
		"DKK": "daenische kronen|dkk", "PLN": "zloty|zł", "AUD": "a$|aud", "CAD": "c$|cad", "KRW": "won|₩", "": "pound|krona||x",
	} {
		for name := range strings.SplitSeq(names, "|") {
			if got := currency(name); got != code {
				t.Errorf("%q is %q, want %q", name, got, code)
			}
		}
	}
	for _, one := range []struct {
		number, front, behind string
		want                  float64 // -1 for an error, -2 for two readings
	}{
		{"1", "", "", 1},
		{"1.5", "", "", 1.5},
		{"1,5", "", "", 1.5},
		{"1.234", "", "", 1.234},
		{"1,234", "", "", -2},
		{"0,234", "", "", 0.234},
		{"1234,567", "", "", 1234.567},
		{"12,34", "", "", 12.34},
		{"1,234", "$", "", 1234},
		{"1.234", "", "euro", 1234},
		{"1.234", "€", "", -2},
		{"1.234", "$", "", -2},
		{"1.234", "", "dollars", -2},
		{"1,234", "", "usd", 1234},
		{"1,234", "", "euros", -2},
		{"1,234", "", "eur", 1234},
		{"1,234.5", "", "", 1234.5},
		{"1.234,5", "", "", 1234.5},
		{"1.234.567", "", "", 1234567},
		{"1,234,567", "", "", 1234567},
		{"1 234,5", "", "", 1234.5},
		{"1'234.5", "", "", 1234.5},
		{"1,23,456", "", "", -1},
		{"1,234.567,8", "", "", -1},
		{".5", "", "", -1},
		{"1.2.3", "", "", -1},
		{"", "", "", -1},
		{"12,345", "£", "", 12345},
		{"123,456", "£", "", 123456},
		{"1234,567", "£", "", 1234.567},
	} {
		got, err := decimal(one.number, one.front, one.behind)
		var several *Ambiguous
		switch {
		case errors.As(err, &several):
			got = -2
		case err != nil:
			got = -1
		}
		if got != one.want {
			t.Errorf("%q %q %q: %v, %v; want %v", one.front, one.number, one.behind, got, err, one.want)
		}
	}
	for text, want := range map[string]time.Duration{"eine Viertelstunde": 15 * time.Minute, "Dreiviertelstunde": 45 * time.Minute, "an hour and a half": 90 * time.Minute, "une heure et quart": 75 * time.Minute, "une heure et demie": 90 * time.Minute} {
		if got, err := Duration(text); err != nil || got != want {
			t.Errorf("%s: %s, %v", text, got, err)
		}
	}
}
