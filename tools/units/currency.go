package units

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strconv"

	"marvin/tools"
	"marvin/tools/internal/web"
)

// ratesURL answers with the latest reference rates of the European Central Bank; no
// key is needed. https://frankfurter.dev/v1/
const ratesURL = "https://api.frankfurter.dev/v1/latest"

// rates is its answer: {"amount":1.0,"base":"USD","date":"2026-11-19","rates":{"EUR":0.8612}}.
type rates struct {
	Date  string             `json:"date"`
	Rates map[string]float64 `json:"rates"`
}

// exchange converts between currencies. Unknown is what to say about the codes if
// they are none.
func (s Service) exchange(ctx context.Context, amount float64, from, to string, unknown error) (tools.Output, error) {
	if from == to { // the service calls that an error
		return tools.Output{Text: fmt.Sprintf("%s %s = %s %s", money(amount), from, money(amount), to)}, nil
	}
	query := url.Values{"base": {from}, "symbols": {to}}
	var answer rates
	err := web.GetJSON(ctx, s.client, ratesURL+"?"+query.Encode(), 64<<10, &answer)
	var status *web.StatusError
	if errors.As(err, &status) && (status.Status == http.StatusNotFound || status.Status == http.StatusUnprocessableEntity) {
		return tools.Output{}, noRate(from, to, unknown)
	}
	if err != nil {
		return tools.Output{}, err
	}
	rate := answer.Rates[to]
	if rate <= 0 {
		return tools.Output{}, noRate(from, to, unknown)
	}
	return tools.Output{Text: fmt.Sprintf("%s %s = %s %s (rate %s of %s, European Central Bank)",
		money(amount), from, money(amount*rate), to, strconv.FormatFloat(rate, 'g', -1, 64), answer.Date)}, nil
}

func noRate(from, to string, unknown error) error {
	return tools.Advise(fmt.Errorf("there is no exchange rate from %s to %s", from, to),
		"Currencies are ISO 4217 codes such as USD, EUR, GBP, JPY, SEK. As units: %v", unknown)
}

// money writes cents, or four digits of what is less than one.
func money(amount float64) string {
	if amount != 0 && math.Abs(amount) < 1 {
		return strconv.FormatFloat(amount, 'g', 4, 64)
	}
	return strconv.FormatFloat(amount, 'f', 2, 64)
}
