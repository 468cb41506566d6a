package web

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// Page is a response with any content type.
type Page struct {
	URL    *url.URL // the URL after redirects
	Status int
	Kind   string // the Content-Type header
	Body   []byte
	Cut    bool // the body was longer than the limit
}

// Get sends a GET request and returns the response. See [Load] for the limit and the errors.
func Get(ctx context.Context, client *http.Client, address string, limit int64) (Page, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return Page{}, fmt.Errorf("not a valid URL: %w", withoutURL(err))
	}
	request.Header.Set("Accept", "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.8")
	request.Header.Set("Accept-Language", "en,*;q=0.5")
	return Load(client, request, limit)
}

// Load sends a request and reads the response. A page with more bytes than the limit is truncated,
// because its beginning is still useful. The error for a status other than 2xx is [StatusError].
func Load(client *http.Client, request *http.Request, limit int64) (Page, error) {
	response, err := Open(client, request)
	if err != nil {
		return Page{}, err
	}
	defer response.Body.Close()
	page := Page{URL: response.Request.URL, Status: response.StatusCode, Kind: response.Header.Get("Content-Type")}
	page.Body, err = io.ReadAll(io.LimitReader(response.Body, limit+1))
	if err != nil {
		return Page{}, explain(request.Context(), page.URL.Hostname(), err)
	}
	if page.Cut = int64(len(page.Body)) > limit; page.Cut {
		page.Body = page.Body[:limit]
	}
	return page, nil
}

// Open sends a request whose response is a stream. The caller must close the body. Open returns the
// same errors as [Ask].
func Open(client *http.Client, request *http.Request) (*http.Response, error) {
	response, err := client.Do(request)
	if err != nil {
		return nil, explain(request.Context(), request.URL.Hostname(), err)
	}
	if response.StatusCode >= 200 && response.StatusCode <= 299 {
		return response, nil
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(response.Body, 16<<10)) // if reading fails, the status is enough
	return nil, statusError(response, response.Request.URL.Hostname(), body, request)
}
