package settings

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

// A price list is read in YAML and in JSON, and has the form of the section "prices" in
// config.yaml.
func TestPriceFile(t *testing.T) {
	cached, written := 0.25, 3.75
	want := map[string]Price{"m:1": {Input: 1, Output: 2}, "groq/m2": {Input: 3, Output: 15, Cached: &cached, Written: &written}}
	for name, text := range map[string]string{
		"prices.yaml": "# of today\nm:1: {input: 1, output: 2}\ngroq/m2:\n  input: 3\n  output: 15\n  cached: 0.25\n  written: 3.75\n",
		"prices.json": "{\"m:1\": {\"input\": 1, \"output\": 2},\n\t\"groq/m2\": {\"input\": 3, \"output\": 15, \"cached\": 0.25, \"written\": 3.75}}\n",
	} {
		h := store.Open(t.TempDir(), storetest.Now)
		storetest.Must(t, os.MkdirAll(h.State, 0o700))
		if got, err := ReadPrices(h); err != nil || len(got) > 0 {
			t.Errorf("without a file: %v, %v", got, err)
		}
		storetest.Must(t, os.WriteFile(h.Path(name), []byte(text), 0o600))
		if got, err := ReadPrices(h); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// Each error in the price list has its line and the next step, and then no price of the list is
// used.
func TestPriceFileIsStrict(t *testing.T) {
	for text, want := range map[string]string{
		"":                "",
		"# nothing yet\n": "",
		"a: {input: 1, output: 2}\nm: {inptu: 1, output: 2}\n":      `prices.yaml:2: there is no setting "inptu" (did you mean "input"?); correct or remove this line`,
		"a: {input: 1, output: 2}\nm: {input: 1}\n":                 `prices.yaml:2: a price needs "input" and "output"; correct this line`,
		"a: {input: 1, output: 2}\nm:\n":                            `prices.yaml:2: the price of "m" needs "input" and "output"; correct this line`,
		"m: {input: -1, output: 2}\n":                               `prices.yaml:1: "-1" is not a price in US dollars per million tokens, such as 0.8; correct this line`,
		"m: {input: 1, output: 2}\nm: {input: 2, output: 2}\n":      `prices.yaml:2: mapping key "m" already defined at [1:1]; correct this line`,
		"prices:\n  m: {input: 1, output: 2}\n":                     `prices.yaml:1: this file must not have a line "prices:" above the models; remove that line; correct this line`,
		"- m\n":                                                     `prices.yaml:1: the file must list models with their prices, such as my-model: {input: 0.5, output: 1.5}; correct this line`,
		"m: {input: 1, output: 2}\n---\nn: {input: 1, output: 2}\n": `prices.yaml:3: a second document begins here`,
		"---\n# none\n---\nm: {input: 1, output: 2}\n":              `prices.yaml:3: a second document begins here, after an empty one, and would be ignored; remove this line ---`,
		"m: {input: 1, output: 2\n":                                 `prices.yaml:1: `,
		"m: 3\n":                                                    `prices.yaml:1: `,
		"m: {input: 1, output: 2}\n\xff":                            `it is not text in UTF-8`,
		strings.Repeat("#", 1<<20) + "\nm: {input: 1, output: 2}\n": `move it away`,
	} {
		h := store.Open(t.TempDir(), storetest.Now)
		storetest.Must(t, os.MkdirAll(h.State, 0o700))
		storetest.Must(t, os.WriteFile(h.Path("prices.yaml"), []byte(text), 0o600))
		got, err := ReadPrices(h)
		if len(got) > 0 || (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), h.State)) {
			t.Errorf("%.60q: %v, %v", text, got, err)
		}
	}
	h := store.Open(t.TempDir(), storetest.Now)
	storetest.Must(t, os.MkdirAll(h.State, 0o700))
	for _, name := range priceFiles {
		storetest.Must(t, os.WriteFile(h.Path(name), []byte("{}"), 0o600))
	}
	if _, err := ReadPrices(h); err == nil || !strings.Contains(err.Error(), "keep only one of them") {
		t.Errorf("two files: %v", err)
	}
}
