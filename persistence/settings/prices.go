package settings

import (
	"fmt"
	"os"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/yamltext"
)

// priceFiles lists the possible names of the price file. The YAML parser also reads JSON.
var priceFiles = [...]string{"prices.yaml", "prices.json"}

// Price holds prices in US dollars per million tokens. If Cached is nil, cached input costs as much
// as other input.
type Price struct {
	Input, Output float64
	Cached        *float64
	// Written is the price of input tokens that the provider writes to its cache. If Written is
	// nil, the price is Input.
	Written *float64
}

type priceFile struct {
	Input  *amount `yaml:"input"`
	Output *amount `yaml:"output"`
	Cached *amount `yaml:"cached"`
	// Written is the price of input that is written to the provider's cache.
	Written *amount `yaml:"written"`
	// The keys "in" and "out" are also accepted, because prices in the section "providers" use
	// them.
	In  *amount `yaml:"in"`
	Out *amount `yaml:"out"`
}

// ReadPrices reads model prices from prices.yaml or prices.json beside config.yaml. The file has
// the same form as the section "prices" of config.yaml. It must not be larger than 1 MiB. If
// neither file exists, ReadPrices returns nil. If both exist, ReadPrices returns an error. An error
// names the file and says what to do next.
func ReadPrices(h *store.Home) (map[string]Price, error) {
	var found, text string
	for _, name := range priceFiles {
		path := h.Path(name)
		data, err := store.ReadWritten(path, 1<<20)
		if err != nil {
			return nil, fmt.Errorf("the prices cannot be read: %w; make %s a readable file, or move it away", err, path)
		}
		if _, err := os.Lstat(path); err != nil {
			continue
		}
		if found != "" {
			return nil, fmt.Errorf("%s and %s both set prices of models; keep only one of them", found, path)
		}
		found, text = path, string(data)
	}
	if text == "" {
		return nil, nil
	}
	return parsePrices(found, []byte(text))
}

func parsePrices(path string, data []byte) (map[string]Price, error) {
	document, err := structure(path, data)
	if err != nil || document == nil || document.Type() == ast.NullType {
		return nil, err
	}
	mapping, ok := document.(*ast.MappingNode)
	if !ok {
		return nil, configError(path, yamltext.ErrorAt(document, "the file must list models with their prices, such as my-model: {input: 0.5, output: 1.5}"))
	}
	for _, entry := range mapping.Values {
		switch name := entry.Key.GetToken().Value; {
		case name == "prices" && entry.Value.Type() == ast.MappingType && len(mapping.Values) == 1:
			return nil, configError(path, yamltext.ErrorAt(entry.Key, "this file must not have a line \"prices:\" above the models; remove that line"))
		case entry.Value.Type() == ast.NullType: // the YAML library ignores null
			return nil, configError(path, yamltext.ErrorAt(entry.Key, "the price of %q needs \"input\" and \"output\"", name))
		}
	}
	var file map[string]priceFile
	if err := yaml.NodeToValue(document, &file, yaml.Strict()); err != nil {
		return nil, configError(path, err)
	}
	return pricesOf(path, file)
}

// pricesOf converts the prices from a file. It returns an error if a price is incomplete.
func pricesOf(path string, file map[string]priceFile) (map[string]Price, error) {
	prices := make(map[string]Price, len(file))
	for model, price := range file {
		// The YAML library does not call UnmarshalYAML for an entry without a value.
		if price.Input == nil || price.Output == nil {
			return nil, fmt.Errorf("%s: the price of %q needs \"input\" and \"output\"; add both, or remove the price", path, model)
		}
		prices[model] = Price{float64(*price.Input), float64(*price.Output), (*float64)(price.Cached), (*float64)(price.Written)}
	}
	return prices, nil
}
