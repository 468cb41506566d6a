package steam

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"marvin/tools"
	"marvin/tools/internal/web"
)

const (
	storeURL = "https://store.steampowered.com"
	apiURL   = "https://api.steampowered.com"

	answerLimit = 8 << 20 // bytes; the 30,000 games of the largest libraries take 6 MB
)

// Service asks Steam.
type Service struct{ client *http.Client }

// New makes the service.
func New(client *http.Client) Service { return Service{client: client} }

// Tools lists the tools of this category.
func (s Service) Tools() []tools.Tool {
	return []tools.Tool{
		s.searchTool(), s.detailsTool(), s.featuredTool(), s.statsTool(), s.gamesTool(), s.summaryTool(),
	}
}

// store asks the shop, which refuses clients that ask too often in one of three ways.
func (s Service) store(ctx context.Context, path string, query url.Values, value any) error {
	query.Set("cc", "US")
	query.Set("l", "english")
	err := web.GetJSON(ctx, s.client, storeURL+path+"?"+query.Encode(), answerLimit, value)
	var status *web.StatusError
	if errors.As(err, &status) && (status.Status == http.StatusForbidden || status.Status == http.StatusTooManyRequests) {
		return errTooOften
	}
	return err
}

var errTooOften = tools.Advise(errors.New("the Steam store answers no more for now"),
	"It takes about 200 requests in five minutes from one address. Try again in a few minutes.")
