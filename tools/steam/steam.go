package steam

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/show"
	"marvin/tools/internal/web"
)

const (
	storeURL = "https://store.steampowered.com"
	apiURL   = "https://api.steampowered.com"

	answerLimit = 8 << 20 // in bytes; the largest libraries, with 30,000 games, take up 6 MB
)

// Service sends requests to the store and the Web API.
type Service struct{ client *http.Client }

// New returns a service.
func New(client *http.Client) Service { return Service{client: client} }

// store fetches JSON from the API of the Steam store. If requests are too frequent, the API replies
// with null or with status 403 or 429. For these statuses, the error is errTooOften. Callers must
// check for null.
func (s Service) store(ctx context.Context, path string, query url.Values, value any) error {
	query.Set("cc", "US")
	query.Set("l", "english")
	err := web.GetJSON(ctx, s.client, storeURL+path+"?"+query.Encode(), answerLimit, value)
	if web.HasStatus(err, http.StatusForbidden, http.StatusTooManyRequests) {
		return errTooOften
	}
	return err
}

var errTooOften = tools.Advise(errors.New("the Steam store accepts no more requests for now"),
	"The store allows about 200 requests in five minutes from one IP address. Try again in a few minutes.")

// cost returns the price in a search result. Search results give no reason for a missing price.
func cost(p *price) string {
	if p == nil {
		return "no price (free, not released yet, or not for sale)"
	}
	return p.String()
}

func page(kind string, id int) string {
	if kind != "sub" && kind != "bundle" {
		kind = "app"
	}
	return storeURL + "/" + kind + "/" + strconv.Itoa(id)
}

// price contains amounts in hundredths of the currency unit, even for currencies without cents,
// such as JPY.
type price struct {
	Currency string
	Initial  int
	Final    int
}

func (p *price) String() string {
	text := amount(p.Final, p.Currency)
	if p.Initial > p.Final && p.Initial > 0 {
		text += fmt.Sprintf(" (-%d%%, was %s)", (100*(p.Initial-p.Final)+p.Initial/2)/p.Initial, amount(p.Initial, p.Currency))
	}
	return text
}

func amount(cents int, currency string) string {
	return fmt.Sprintf("%d.%02d %s", cents/100, cents%100, show.Line(currency, 5))
}

type platforms struct{ Windows, Mac, Linux bool }

func (p platforms) String() string {
	var names []string
	if p.Windows {
		names = append(names, "Windows")
	}
	if p.Mac {
		names = append(names, "macOS")
	}
	if p.Linux {
		names = append(names, "Linux")
	}
	return strings.Join(names, ", ")
}
