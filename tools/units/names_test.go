package units

import (
	"cmp"
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestUnitsThatWereMissing(t *testing.T) {
	for _, test := range []struct {
		value    float64
		from, to string
		want     string
	}{
		{100, "Mbit/s", "MB/s", "100 Mbit/s = 12.5 MB/s"},
		{1, "gbps", "megabits per second", "1 Gbit/s = 1000 Mbit/s"},
		{1, "troy ounce", "g", "1 oz t = 31.103477 g"},
		{10, "ozt", "oz", "10 oz t = 10.971429 oz"},
		{1, "fortnight", "days", "1 fortnight = 14 d"},
		{2, "fortnights", "weeks", "2 fortnight = 4 wk"},
		{40, "imperial mpg", "l/100km", "40 imp mpg = 7.0620234 l/100km"},
		{1, "therm", "kWh", "1 therm = 29.307107 kWh"},
		{10, "kgf", "newtons", "10 kgf = 98.0665 N"},
		{1, "lbf", "N", "1 lbf = 4.4482216 N"},
		{3000, "rpm", "Hz", "3000 rpm = 50 Hz"},
		{2.4, "GHz", "MHz", "2.4 GHz = 2400 MHz"},
	} {
		got, err := convertText(t, test.value, test.from, test.to)
		if err != nil || got != test.want {
			t.Errorf("%v %s to %s: %q, %v, want %q", test.value, test.from, test.to, got, err, test.want)
		}
	}
}

func TestCurrenciesByTheirNames(t *testing.T) {
	for names, codes := range map[string]string{
		"dollars euros": "USD EUR", "$ €": "USD EUR", "£ yen": "GBP JPY", "quid bucks": "GBP USD", "pounds euros": "GBP EUR", "Euro Franken": "EUR CHF",
		"francs suisses|euros": "CHF EUR", "swedish kronor|€": "SEK EUR", "livres sterling|dollar": "GBP USD", "zł eur": "PLN EUR", "sek usd": "SEK USD",
	} {
		from, to, ok := strings.Cut(names, "|")
		if !ok {
			from, to, _ = strings.Cut(names, " ")
		}
		base, symbol, _ := strings.Cut(codes, " ")
		rates := func(w http.ResponseWriter, r *http.Request) {
			quotes := map[string]string{base: "2", symbol: "1"} // per euro
			switch "EUR" {
			case base:
				quotes = map[string]string{symbol: "0.5"}
			case symbol:
				delete(quotes, symbol)
			}
			var known []string
			for code := range strings.SplitSeq(r.FormValue("symbols"), ",") {
				known = append(known, `"`+code+`":`+cmp.Or(quotes[code], "-1"))
				delete(quotes, code)
			}
			if len(quotes) > 0 || r.FormValue("base") != "EUR" {
				t.Errorf("%s asks for %s, but not for %v", names, r.URL.RawQuery, quotes)
			}
			_, _ = io.WriteString(w, `{"amount":1.0,"base":"EUR","date":"2026-11-19","rates":{`+strings.Join(known, ",")+`}}`)
		}
		got, err := call(t, rates, `{"value":100,"from_unit":"`+from+`","to_unit":"`+to+`"}`)
		if err != nil || !strings.HasPrefix(got, "100.00 "+base+" = 50.00 "+symbol) {
			t.Errorf("%s: %q, %v", names, got, err)
		}
	}
	if got, err := convertText(t, 2, "pounds", "kg"); err != nil || got != "2 lb = 0.90718474 kg" {
		t.Errorf("pounds of mass are %q, %v", got, err)
	}
}
