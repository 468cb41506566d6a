package units

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/web"
)

// ratesURL is the address of the latest reference rates of the European Central Bank. The service
// requires no key (see https://frankfurter.dev/v1/).
const ratesURL = "https://api.frankfurter.dev/v1/latest"

// euro is the base currency of the bank's rates.
const euro = "EUR"

// rates is the service's reply:
// {"amount":1.0,"base":"EUR","date":"2026-11-19","rates":{"USD":1.1612}}.
type rates struct {
	Date  string             `json:"date"`
	Rates map[string]float64 `json:"rates"`
}

// exchange converts between currencies. If a currency is unknown, the error includes unitErr, the
// error from the unit lookup.
func (s Service) exchange(ctx context.Context, amount float64, from, to string, unitErr error) (tools.Output, error) {
	if from == to { // the service would return an error
		return tools.Output{Text: fmt.Sprintf("%s %s = %s %s", money(amount), from, money(amount), to)}, nil
	}
	asked := []string{from, to}
	asked = slices.DeleteFunc(asked, func(code string) bool { return code == euro })
	query := url.Values{"base": {euro}, "symbols": {strings.Join(asked, ",")}}
	var answer rates
	err := web.GetJSON(ctx, s.client, ratesURL+"?"+query.Encode(), 64<<10, &answer)
	if web.HasStatus(err, http.StatusNotFound, http.StatusUnprocessableEntity) {
		return tools.Output{}, noRate(from, to, unitErr)
	}
	if err != nil {
		return tools.Output{}, err
	}
	result, known := answer.convert(amount, from, to)
	if !known {
		return tools.Output{}, noRate(from, to, unitErr)
	}
	quoted := "1 " + euro
	for _, code := range asked {
		quoted += " = " + strconv.FormatFloat(answer.Rates[code], 'g', -1, 64) + " " + code
	}
	return tools.Output{Text: fmt.Sprintf("%s %s = %s %s (%s on %s, European Central Bank)", money(amount), from, money(result), to, quoted, answer.Date)}, nil
}

// convert is based on the rates per euro, which have five or six digits. The inverse rates are less
// precise: 0.00688 euros per yen is off by 0.07%.
func (r rates) convert(amount float64, from, to string) (float64, bool) {
	source, target := r.Rates[from], r.Rates[to]
	if from == euro {
		source = 1
	}
	if to == euro {
		target = 1
	}
	if source <= 0 || target <= 0 {
		return 0, false
	}
	return amount / source * target, true
}

func noRate(from, to string, unitErr error) error {
	return tools.Advise(fmt.Errorf("there is no exchange rate from %s to %s", from, to),
		"Give currencies as three-letter codes (ISO 4217) such as USD, EUR, GBP, JPY or SEK. If you meant a unit: %v", unitErr)
}

// money converts an amount to text with two decimals. Nonzero amounts between -1 and 1 get up to
// four significant digits.
func money(amount float64) string {
	if amount != 0 && math.Abs(amount) < 1 {
		return strconv.FormatFloat(amount, 'g', 4, 64)
	}
	return strconv.FormatFloat(amount, 'f', 2, 64)
}
