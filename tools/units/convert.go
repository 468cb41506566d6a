package units

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/when"
)

// Service converts units and currencies.
type Service struct {
	client *http.Client
}

// New returns a service that requests currency rates with the given client.
func New(client *http.Client) Service { return Service{client: client} }

// Tools returns the tools of this category.
func (s Service) Tools() []tools.Tool { return []tools.Tool{s.convertTool()} }

type convertArgs struct {
	Value float64 `json:"value" doc:"The amount to convert." example:"12"`
	From  string  `json:"from_unit" doc:"Unit or currency of the amount: km, miles, °F, MB, USD." alias:"from" example:"km"`
	To    string  `json:"to_unit" doc:"Target unit or currency, of the same kind." alias:"to" example:"miles"`
}

func (s Service) convertTool() tools.Tool {
	return tools.New(tools.Def[convertArgs]{
		Name: "convert_units", Chat: true,
		Doc: "Convert an amount between units of length, mass, volume, area, speed, time, temperature, data, data rate, pressure, energy, " +
			"power, force, frequency, fuel economy and angle, or between currencies at the latest reference rate. " +
			"Distinguishes MB from Mb. Uses US volumes unless the unit says imperial.",
		Examples: []string{
			"convert {12|value} {km|from_unit} to {miles|to_unit}",
			"how many {cups|to_unit} are {2|value} {liters|from_unit}",
			"how much is {100|value} {USD|from_unit} in {EUR|to_unit}",
			"what is {100|value} {USD|from_unit} in {EUR|to_unit}",
		},
		Pool: tools.Net, Service: "api.frankfurter.dev", Brings: tools.OwnOrigin, // the results contain only numbers
		Fold: splitAmount,
		Run:  s.convert,
	})
}

// splitAmount separates a value from its unit, as in "50 dollars" or "1.000,50 €". An ambiguous
// value stays unchanged, and is refused because it is not a number.
func splitAmount(arguments map[string]any) {
	text, isText := arguments["value"].(string)
	if _, err := strconv.ParseFloat(strings.TrimSpace(text), 64); !isText || err == nil {
		return
	}
	amount, err := when.ParseAmount(text)
	if err != nil {
		return
	}
	from, _ := arguments["from_unit"].(string)
	if aliased, _ := arguments["from"].(string); from == "" {
		from = aliased
	}
	switch {
	case amount.Unit == "":
	case from == "":
		arguments["from_unit"] = amount.Unit
	case !sameUnit(amount.Unit, from): // the two units differ, so the value is ambiguous
		return
	}
	arguments["value"] = amount.Value
}

func sameUnit(a, b string) bool {
	if _, one, other, err := pair(a, b); err == nil {
		return one == other
	}
	return strings.EqualFold(a, b) || currency(a) != "" && currency(a) == currency(b)
}

func (s Service) convert(ctx context.Context, _ tools.Env, in convertArgs) (tools.Output, error) {
	from, to := strings.TrimSpace(in.From), strings.TrimSpace(in.To)
	k, source, target, unknown := pair(from, to)
	if unknown != nil {
		if source, target := currency(from), currency(to); source != "" && target != "" {
			return s.exchange(ctx, in.Value, source, target, unknown)
		}
		return tools.Output{}, unknown
	}
	result, err := convert(in.Value, k, source, target)
	if err != nil {
		return tools.Output{}, err
	}
	return tools.Output{Text: fmt.Sprintf("%s = %s", measure(formatExactly(in.Value), source), measure(number(result), target))}, nil
}

func convert(value float64, k *kind, from, to *unit) (float64, error) {
	if (from.inverse || to.inverse) && value <= 0 {
		return 0, fmt.Errorf("%s cannot be converted to %s; the value must be more than 0", measure(formatExactly(value), from), to.symbol)
	}
	base := (value + from.offset) * from.factor
	if from.inverse {
		base = from.factor / value
	}
	if k.name == "temperature" && base < 0 {
		return 0, fmt.Errorf("%s is below absolute zero (0 K, −273.15 °C, −459.67 °F)", measure(formatExactly(value), from))
	}
	result := base/to.factor - to.offset
	if to.inverse {
		result = to.factor / base
	}
	if k.name == "temperature" {
		result = math.Round(result*1e9) / 1e9 // the offsets of temperature scales cause rounding errors of 5e-14
	}
	if math.IsInf(result, 0) || math.IsNaN(result) {
		return 0, errors.New("the result is too large to calculate")
	}
	return result, nil
}

func measure(number string, u *unit) string {
	if u.symbol == "°" {
		return number + u.symbol
	}
	return number + " " + u.symbol
}

// formatExactly formats a number without rounding it.
func formatExactly(value float64) string {
	if math.Abs(value) >= 1e15 {
		return strconv.FormatFloat(value, 'g', -1, 64)
	}
	return strconv.FormatFloat(value, 'f', -1, 64)
}

// number returns a result as text, with about 8 significant digits. It keeps all digits before the
// decimal point, and at least two after it.
func number(value float64) string {
	size := math.Abs(value)
	switch {
	case value == 0:
		return "0"
	case size < 1e-6 || size >= 1e15:
		return strconv.FormatFloat(value, 'g', 8, 64)
	}
	decimals := max(2, 7-int(math.Floor(math.Log10(size))))
	text := strconv.FormatFloat(value, 'f', decimals, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
