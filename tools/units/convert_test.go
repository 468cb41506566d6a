package units

import (
	"encoding/json"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"marvin/tools"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// call calls convert_units like a model, with rates from the given server.
func call(t *testing.T, rates http.HandlerFunc, args string) (string, error) {
	t.Helper()
	server := httptest.NewServer(rates)
	client := tools.NewHTTPClient(map[string]string{"api.frankfurter.dev": server.URL})
	defer server.Close()
	defer client.CloseIdleConnections()
	decoded, err := New(client).Tools()[0].Decode(json.RawMessage(args))
	if err != nil {
		return "", err
	}
	output, err := decoded.Run(t.Context(), tools.Env{})
	return output.Text, err
}

func offline(t *testing.T) http.HandlerFunc {
	return func(_ http.ResponseWriter, r *http.Request) { t.Errorf("asked for %s", r.URL) }
}

func convertText(t *testing.T, value float64, from, to string) (string, error) {
	t.Helper()
	args, err := json.Marshal(map[string]any{"value": value, "from_unit": from, "to_unit": to})
	if err != nil {
		t.Fatal(err)
	}
	return call(t, offline(t), string(args))
}

// Values from NIST Special Publication 811 (2008), appendix B, and from definitions.
func TestKnownValues(t *testing.T) {
	for _, test := range []struct {
		value    float64
		from, to string
		want     string
	}{
		{12, "km", "mi", "12 km = 7.4564543 mi"},
		{1, "mile", "metres", "1 mi = 1609.344 m"},
		{5, "Feet", "inches", "5 ft = 60 in"},
		{6, "'", "cm", "6 ft = 182.88 cm"},
		{1, "nautical mile", "km", "1 nmi = 1.852 km"},
		{500, "nm", "µm", "500 nm = 0.5 µm"},
		{1, "ly", "au", "1 ly = 63241.077 au"},
		{1, "lb", "g", "1 lb = 453.59237 g"},
		{2, "Pounds", "KG", "2 lb = 0.90718474 kg"},
		{8, "oz", "g", "8 oz = 226.79619 g"},
		{8, "oz", "ml", "8 US fl oz = 236.58824 ml"},
		{1, "ton", "tonne", "1 US ton = 0.90718474 t"},
		{1, "gallon", "L", "1 US gal = 3.7854118 l"},
		{1, "imperial gallon", "litres", "1 imp gal = 4.54609 l"},
		{1, "cup", "tbsp", "1 US cup = 16 US tbsp"},
		{1, "UK pint", "us fl oz", "1 imp pt = 19.215199 US fl oz"},
		{1, "m^3", "cubic feet", "1 m³ = 35.314667 ft³"},
		{1, "acre", "m2", "1 acre = 4046.8564 m²"},
		{100, "sq ft", "square metres", "100 ft² = 9.290304 m²"},
		{100, "km/h", "mph", "100 km/h = 62.137119 mph"},
		{10, "knots", "m/s", "10 kn = 5.1444444 m/s"},
		{1, "week", "hours", "1 wk = 168 h"},
		{90, "mins", "hr", "90 min = 1.5 h"},
		{100, "C", "F", "100 °C = 212 °F"},
		{-40, "°F", "celsius", "-40 °F = -40 °C"},
		{32, "f", "c", "32 °F = 0 °C"},
		{0, "K", "F", "0 K = -459.67 °F"},
		{98.6, "fahrenheit", "kelvin", "98.6 °F = 310.15 K"},
		{1, "GiB", "B", "1 GiB = 1073741824 B"},
		{1, "GB", "MiB", "1 GB = 953.67432 MiB"},
		{100, "Mb", "MB", "100 Mb = 12.5 MB"},
		{1, "kilobyte", "bytes", "1 kB = 1000 B"},
		{1, "atm", "psi", "1 atm = 14.695949 psi"},
		{760, "mmHg", "kPa", "760 mmHg = 101.32501 kPa"},
		{30, "psi", "bar", "30 psi = 2.0684272 bar"},
		{1, "kWh", "MJ", "1 kWh = 3.6 MJ"},
		{250, "kcal", "kJ", "250 kcal = 1046 kJ"},
		{250, "Cal", "cal", "250 kcal = 250000 cal"},
		{1, "BTU", "J", "1 BTU = 1055.0559 J"},
		{100, "hp", "kW", "100 hp = 74.569987 kW"},
		{100, "PS", "hp", "100 PS = 98.632007 hp"},
		{1, "MW", "mW", "1 MW = 1000000000 mW"},
		{30, "mpg", "l/100km", "30 US mpg = 7.8404861 l/100km"},
		{7.8404861, "l per 100 km", "mpg", "7.8404861 l/100km = 30 US mpg"},
		{5, "L/100km", "km/l", "5 l/100km = 20 km/l"},
		{40, "uk mpg", "mpg", "40 imp mpg = 33.306967 US mpg"},
		{180, "degrees", "rad", "180° = 3.1415927 rad"},
		{1, "turn", "deg", "1 turn = 360°"},
		{1, "eV", "J", "1 eV = 1.6021766e-19 J"},
		{0, "km", "mi", "0 km = 0 mi"},
		{123456789.125, "m", "km", "123456789.125 m = 123456.79 km"},
	} {
		got, err := convertText(t, test.value, test.from, test.to)
		if err != nil || got != test.want {
			t.Errorf("%v %s to %s: %q, %v, want %q", test.value, test.from, test.to, got, err, test.want)
		}
	}
}

func TestEverySymbolAndNameMeansItsUnit(t *testing.T) {
	for i := range kinds {
		k := &kinds[i]
		for j := range k.units {
			u := &k.units[j]
			for _, text := range append(append(list(u.also), list(u.names)...), u.symbol) {
				if _, source, _, err := pair(text, u.symbol); err != nil || source != u {
					t.Errorf("%s %q is not understood: %v", k.name, text, err)
				}
			}
		}
	}
}

func TestEveryPairGoesThereAndBack(t *testing.T) {
	for i := range kinds {
		k := &kinds[i]
		for _, from := range k.units {
			for _, to := range k.units {
				there, err1 := convert(300, k, &from, &to)
				back, err2 := convert(there, k, &to, &from)
				if err1 != nil || err2 != nil || math.Abs(back-300) > 1e-8 {
					t.Errorf("%s → %s → %s: %v, %v, %v", from.symbol, to.symbol, from.symbol, back, err1, err2)
				}
			}
		}
	}
}

func TestRefusalsSayWhatWouldBeRight(t *testing.T) {
	for _, test := range []struct {
		value    float64
		from, to string
		want     []string
	}{
		{1, "kilometre", "milse", []string{`no unit "milse"`, "close names: mil", "Units of length: nm, µm, mm"}},
		{1, "mb", "GB", []string{`"mb" could be Mb (megabit) or MB (megabyte)`}},
		{1, "MW", "mw", []string{`"mw" could be mW (milliwatt) or MW (megawatt)`}},
		{1, "Ml", "l", []string{`no unit "Ml"`, "ml"}},
		{1, "k", "°C", []string{`no unit "k"`, "Units of temperature: K"}},
		{1, "km", "kg", []string{"km is a unit of length, but kg is a unit of mass"}},
		{1, "foobar", "blargh", []string{"is a known unit", "fuel economy", "three-letter codes"}},
		{1, "", "", []string{"is a known unit"}},
		{-1, "K", "C", []string{"below absolute zero"}},
		{-500, "F", "K", []string{"below absolute zero"}},
		{0, "l/100km", "mpg", []string{"more than 0"}},
		{0, "mpg", "l/100km", []string{"more than 0"}},
		{1e308, "km", "nm", []string{"too large"}},
	} {
		got, err := convertText(t, test.value, test.from, test.to)
		for _, want := range test.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v %s to %s: %q, %v, want %q", test.value, test.from, test.to, got, err, want)
			}
		}
	}
}

func TestAliasesAndTextualNumbers(t *testing.T) {
	got, err := call(t, offline(t), `{"value": "1.5", "from": "km", "to": "m"}`)
	if err != nil || got != "1.5 km = 1500 m" {
		t.Errorf("%q, %v", got, err)
	}
}

// The replies have the format documented at https://frankfurter.dev/v1/.
func TestCurrency(t *testing.T) {
	rates := func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.RequestURI() {
		case "/v1/latest?base=EUR&symbols=USD":
			_, _ = io.WriteString(w, `{"amount":1.0,"base":"EUR","date":"2026-11-19","rates":{"USD":1.1612}}`)
		case "/v1/latest?base=EUR&symbols=JPY":
			_, _ = io.WriteString(w, `{"amount":1.0,"base":"EUR","date":"2026-11-19","rates":{"JPY":145.45}}`)
		case "/v1/latest?base=EUR&symbols=CHF%2CUSD":
			_, _ = io.WriteString(w, `{"amount":1.0,"base":"EUR","date":"2026-11-19","rates":{"CHF":0.9344,"USD":1.1612}}`)
		case "/v1/latest?base=EUR&symbols=USD%2CXYZ":
			_, _ = io.WriteString(w, `{"amount":1.0,"base":"EUR","date":"2026-11-19","rates":{"USD":1.1612}}`)
		default:
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, `{"message":"not found"}`)
		}
	}
	for args, want := range map[string]string{
		`{"value":100,"from_unit":"usd","to_unit":"EUR"}`:  "100.00 USD = 86.12 EUR (1 EUR = 1.1612 USD on 2026-11-19, European Central Bank)",
		`{"value":0.01,"from_unit":"USD","to_unit":"eur"}`: "0.01 USD = 0.008612 EUR (1 EUR = 1.1612 USD on 2026-11-19, European Central Bank)",
		`{"value":100,"from_unit":"EUR","to_unit":"USD"}`:  "100.00 EUR = 116.12 USD (1 EUR = 1.1612 USD on 2026-11-19, European Central Bank)",
		`{"value":100,"from_unit":"CHF","to_unit":"USD"}`:  "100.00 CHF = 124.27 USD (1 EUR = 0.9344 CHF = 1.1612 USD on 2026-11-19, European Central Bank)",
		`{"value":"1,000.50 dollars","to_unit":"EUR"}`:     "1000.50 USD = 861.61 EUR (1 EUR = 1.1612 USD on 2026-11-19, European Central Bank)",
		`{"value":"5k","from":"$","to_unit":"EUR"}`:        "5000.00 USD = 4305.89 EUR (1 EUR = 1.1612 USD on 2026-11-19, European Central Bank)",
		`{"value":7,"from_unit":"SEK","to_unit":"SEK"}`:    "7.00 SEK = 7.00 SEK",
	} {
		if got, err := call(t, rates, args); err != nil || got != want {
			t.Errorf("%s: %q, %v", args, got, err)
		}
	}
	_, err := call(t, rates, `{"value":1,"from_unit":"USD","to_unit":"XYZ"}`)
	if err == nil || !strings.Contains(err.Error(), "no exchange rate from USD to XYZ") || !strings.Contains(err.Error(), "ISO 4217") {
		t.Errorf("got %v", err)
	}
	_, err = call(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }, `{"value":1,"from_unit":"USD","to_unit":"EUR"}`)
	if err == nil || !strings.Contains(err.Error(), "api.frankfurter.dev answered 502 Bad Gateway; the service has a problem; try again later") {
		t.Errorf("got %v", err)
	}
}

// The service rounds the rate of a small currency to three digits, so a million yen would be wrong:
// 6880.00 euro.
func TestMoneyGoesByTheExactWayRound(t *testing.T) {
	quotes := func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.RequestURI() {
		case "/v1/latest?base=JPY&symbols=EUR":
			_, _ = io.WriteString(w, `{"amount":1.0,"base":"JPY","date":"2026-11-19","rates":{"EUR":0.00688}}`)
		case "/v1/latest?base=EUR&symbols=JPY":
			_, _ = io.WriteString(w, `{"amount":1.0,"base":"EUR","date":"2026-11-19","rates":{"JPY":145.45}}`)
		}
	}
	got, err := call(t, quotes, `{"value":"1,000,000 JPY","to_unit":"EUR"}`)
	if err != nil || got != "1000000.00 JPY = 6875.21 EUR (1 EUR = 145.45 JPY on 2026-11-19, European Central Bank)" {
		t.Errorf("%s, %v", got, err)
	}
	if got, err := call(t, quotes, `{"value":"1,234","from_unit":"km","to_unit":"m"}`); err == nil {
		t.Errorf("1,234 is %s", got)
	}
}

// Three letters that are the symbols of units are never sent to the network.
func TestUnitsComeBeforeCurrencies(t *testing.T) {
	for _, units := range [][2]string{{"bar", "psi"}, {"min", "day"}, {"lbs", "kgs"}, {"cup", "gal"}} {
		if _, err := convertText(t, 1, units[0], units[1]); err != nil {
			t.Errorf("%v: %v", units, err)
		}
	}
}
