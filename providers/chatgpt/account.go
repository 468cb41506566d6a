package chatgpt

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"

	"marvin/messages/origin"
	"marvin/providers"
)

// renewBefore is the remaining lifetime at which a token is renewed.
const renewBefore = 5 * time.Minute

// Store keeps tokens between runs of Marvin.
type Store struct {
	Load func() (Tokens, error) // returns the zero value if the user is not logged in
	Save func(Tokens) error
	// Lock prevents other Marvin processes from renewing tokens until the caller calls unlock.
	Lock func() (unlock func() error, err error)
}

// Account is a login to a ChatGPT plan. Its methods are safe for concurrent use.
type Account struct {
	store  Store
	client func() *http.Client
	now    func() time.Time

	renewing sync.Mutex
}

// NewAccount returns an Account. The account loads no tokens and sends no requests before the first
// call to [Account.Bearer].
func NewAccount(store Store, client func() *http.Client, now func() time.Time) *Account {
	return &Account{store: store, client: client, now: now}
}

// Bearer returns a valid token and the account that the token belongs to. It renews the stored
// token if that token expires soon or equals refusedToken. If OpenAI has just refused a token, the
// caller passes it as refusedToken. An error that wraps [providers.ErrNoKey] means that the user
// should log in.
func (a *Account) Bearer(ctx context.Context, refusedToken string) (token, account string, err error) {
	a.renewing.Lock()
	defer a.renewing.Unlock()
	kept, good, err := a.loadTokens(refusedToken)
	if err != nil || good {
		return kept.Access, kept.Account, err
	}
	// Lock out other Marvin processes, because a refresh token works only once.
	if unlock, err := a.store.Lock(); err == nil {
		defer func() { _ = unlock() }()
		if kept, good, err = a.loadTokens(refusedToken); err != nil || good {
			return kept.Access, kept.Account, err
		}
	}
	fresh, err := a.renew(ctx, kept)
	return fresh.Access, fresh.Account, err
}

func (a *Account) loadTokens(refusedToken string) (kept Tokens, good bool, err error) {
	if kept, err = a.store.Load(); err != nil {
		return kept, false, err
	}
	if kept.Access == "" {
		return kept, false, fmt.Errorf("%w: you are not logged in to ChatGPT; log in with marvin login chatgpt", providers.ErrNoKey)
	}
	return kept, kept.Access != refusedToken && (kept.Expires.IsZero() || a.now().Before(kept.Expires.Add(-renewBefore))), nil
}

func (a *Account) renew(ctx context.Context, old Tokens) (Tokens, error) {
	ctx, stop := context.WithTimeoutCause(ctx, limit, fmt.Errorf("OpenAI did not renew the login within %s", limit))
	defer stop()
	config := settings()
	answer, err := config.TokenSource(context.WithValue(ctx, oauth2.HTTPClient, issuing(a.client())), &oauth2.Token{RefreshToken: old.Refresh}).Token()
	if err == nil {
		fresh := read(answer)
		fresh.Account, fresh.Refresh = cmp.Or(fresh.Account, old.Account), cmp.Or(fresh.Refresh, old.Refresh)
		return fresh, a.store.Save(fresh)
	}
	err = refusal(ctx, err, old.Refresh)
	if status, refused := errors.AsType[*providers.StatusError](err); !refused || status.Status >= http.StatusInternalServerError {
		return Tokens{}, fmt.Errorf("renew the login to ChatGPT: %w", err)
	}
	// Perhaps another Marvin process has already renewed the tokens.
	if kept, problem := a.store.Load(); problem == nil && kept.Refresh != old.Refresh && kept.Access != "" {
		return kept, nil
	}
	return Tokens{}, fmt.Errorf("%w: the login to ChatGPT cannot be renewed (%w); log in again with marvin login chatgpt", providers.ErrNoKey, err)
}

// Header returns the headers that a request to a ChatGPT plan needs.
func Header(token, account string) http.Header {
	return http.Header{
		"Authorization": {"Bearer " + token}, "Chatgpt-Account-Id": {account},
		"Originator": {originator}, "User-Agent": {originator},
	}
}

// clientVersion is the version of Codex that Marvin claims to be. The server lists fewer models for
// older versions.
const clientVersion = "1.0.0"

// mostModels is the maximum size of the list of models, in bytes. Lists are large, because each
// entry contains instructions.
const mostModels = 8 << 20

// Models returns the names of the plan's models, in the server's order.
func (a *Account) Models(ctx context.Context, address string, client *http.Client) ([]string, error) {
	token, account, err := a.Bearer(ctx, "")
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(address, "/")+"/models?client_version="+clientVersion, nil)
	if err != nil {
		return nil, err
	}
	request.Header = Header(token, account)
	response, err := origin.Restrict(client, request.URL, providers.AddressSetting(providers.ChatGPT)).Do(request)
	if err != nil {
		return nil, providers.Unreachable(request.URL, err)
	}
	if response.StatusCode != http.StatusOK {
		return nil, providers.ReadStatus("chatgpt", response, token)
	}
	defer response.Body.Close()
	var list struct {
		Models []struct {
			Slug       string `json:"slug"`
			Visibility string `json:"visibility"`
		} `json:"models"`
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, mostModels)).Decode(&list); err != nil {
		return nil, fmt.Errorf("%w: cannot read the list of models: %w", providers.ErrMalformed, err)
	}
	var names []string
	for _, model := range list.Models {
		if model.Slug != "" && model.Visibility != "hide" {
			names = append(names, model.Slug)
		}
	}
	return names, nil
}
