package providers

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Price is a model's price per million tokens, in US dollars. If Cached is nil, cached tokens cost
// as much as other input.
type Price struct {
	Input  float64  `json:"input"`
	Output float64  `json:"output"`
	Cached *float64 `json:"cached,omitempty"`
	// Written is the price of input tokens that the provider writes to its cache. If Written is
	// nil, the price is Input.
	Written *float64 `json:"written,omitempty"`
}

// Prices maps models to prices. A price that only one provider charges has a key of the form
// provider/model. All other keys are the names of models.
type Prices map[string]Price

//go:embed prices.json
var priceTable []byte

// table loads the built-in price list once. It panics if prices.json is invalid, but each test that
// uses the list would detect that.
var table = sync.OnceValue(func() Prices {
	var prices Prices
	if err := json.Unmarshal(priceTable, &prices); err != nil {
		panic("providers: prices.json: " + err.Error())
	}
	return prices.canonical()
})

// Priced returns the model names in the built-in price list, without provider prefixes.
func Priced() []string {
	var prices Prices
	if err := json.Unmarshal(priceTable, &prices); err != nil {
		return nil // table() panics on this error
	}
	names := slices.Sorted(maps.Keys(prices))
	for i, name := range names {
		if provider, model, with := strings.Cut(name, "/"); with && slices.ContainsFunc(Catalog, func(row Provider) bool { return row.Name == provider }) {
			names[i] = model
		}
	}
	return names
}

// NewPrices combines the built-in list with the user's lists. Each list overrides the earlier ones.
func NewPrices(lists ...map[string]Price) (Prices, error) {
	said := Prices{}
	for _, list := range lists {
		for model, price := range list {
			for _, dollars := range []float64{price.Input, price.Output, orDefault(price.Cached, 0), orDefault(price.Written, 0)} {
				if dollars < 0 || math.IsNaN(dollars) || math.IsInf(dollars, 0) {
					return nil, fmt.Errorf("the price of %s is %v; give a price of 0 or more, in US dollars per million tokens", model, dollars)
				}
			}
		}
		later := Prices(list).canonical()
		maps.DeleteFunc(said, func(name string, _ Price) bool { return later.hasPrice(name) })
		maps.Copy(said, later)
	}
	prices := maps.Clone(table())
	maps.Copy(prices, said)
	return prices, nil
}

// hasPrice reports whether p contains any spelling of a name. If the name has the form
// provider/model, a spelling without the provider also counts.
func (p Prices) hasPrice(entry string) bool {
	_, model, _ := strings.Cut(entry, "/")
	return slices.ContainsFunc(append(spellings(entry), spellings(model)...), func(name string) bool {
		_, named := p[name]
		return named
	})
}

// Cost returns the cost of a round trip in US dollars. If the price or the number of tokens is
// unknown, ok is false, and the caller must report an unknown cost instead of counting 0.
func (p Prices) Cost(provider, model string, usage Usage) (dollars float64, ok bool) {
	price, ok := p.Lookup(provider, model)
	switch {
	case !ok:
		return 0, false
	case price.free():
		return 0, true
	case !usage.Known && !usage.Estimated:
		return 0, false
	}
	return price.Of(usage), true
}

// AssumedPrice is the price that a cost limit assumes for a model whose price is unknown. It is the
// price of a large model, so that the limit applies early rather than late.
var AssumedPrice = Price{Input: 5, Output: 25}

// Of computes the cost of a round trip at this price, in US dollars.
func (p Price) Of(usage Usage) (dollars float64) {
	cached, written := orDefault(p.Cached, p.Input), orDefault(p.Written, p.Input)
	full := max(usage.Input-usage.Cached-usage.Written, 0)
	return (float64(full)*p.Input + float64(usage.Cached)*cached + float64(usage.Written)*written + float64(usage.Output)*p.Output) / 1e6
}

func orDefault(price *float64, usual float64) float64 {
	if price == nil {
		return usual
	}
	return *price
}

func (p Price) free() bool {
	return p.Input == 0 && p.Output == 0 && orDefault(p.Cached, 0) == 0 && orDefault(p.Written, 0) == 0
}

// Lookup returns the price of a model. The maker and the release date in the model's name are
// optional; the rest must match. Prices without a provider do not apply to subscriptions, which are
// free by default.
func (p Prices) Lookup(provider, model string) (Price, bool) {
	row, err := lookup(provider)
	plan := err == nil && row.Account
	for _, name := range spellings(model) {
		if price, ok := p[canonical(provider+"/"+name)]; ok {
			return price, true
		}
		if price, ok := p[canonical(name)]; ok && !plan {
			return price, true
		}
	}
	if err == nil && row.Free || strings.HasSuffix(model, ":free") {
		return Price{}, true
	}
	return Price{}, false
}

// released is a pattern for a release date or a release number at the end of a model's name. Models
// that differ only in this part have the same price.
var released = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[-@](\d{4}-\d{2}-\d{2}|\d{8}|\d{2}-\d{4}|0\d{2})$`) })

// makers contains prefixes of model names. These prefixes do not affect the price.
var makers = []string{"models/", "openai/", "google/", "anthropic/"}

// spellings returns the given name and its forms without the maker, the release date, or both.
func spellings(model string) []string {
	names := []string{model}
	for _, maker := range makers {
		if rest, ok := strings.CutPrefix(model, maker); ok {
			names = append(names, rest)
		}
	}
	for _, name := range names {
		if bare := released().ReplaceAllString(name, ""); bare != name {
			names = append(names, bare)
		}
	}
	return names
}

// canonical returns the same name for claude-haiku-4-5 and Claude-Haiku-4.5.
func canonical(name string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), ".", "-")
}

func (p Prices) canonical() Prices {
	named := make(Prices, len(p))
	for name, price := range p {
		named[canonical(name)] = price
	}
	return named
}
