package spotify

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"marvin/persistence"
	"marvin/persistence/logins"
	"marvin/tools"
)

type authArgs struct {
	Code string `json:"auth_code" doc:"After the login: the code, or the complete address that the browser then shows" default:"" alias:"code,redirect_url,url"`
}

func (s *Service) authTool() tools.Tool {
	return tools.New(tools.Def[authArgs]{
		Name:     "spotify_auth",
		Sends:    func(_ tools.Env, in authArgs) []tools.Destination { return tools.ToPeople("Spotify", in.Code) },
		Effect:   tools.Outside,
		Keys:     "SPOTIFY_CLIENT_ID, required (and SPOTIFY_CLIENT_SECRET if the app has one)",
		Doc:      "Connect to the user's Spotify account. Returns an address that the user must open. If the user gives you another address after the login, call this tool again with that address.",
		Examples: []string{"log in to spotify", "connect my spotify account", "finish the spotify login with {AQBx7|auth_code}"},
		Pool:     tools.Net, Service: "accounts.spotify.com",
		Run: s.auth,
	})
}

func (s *Service) auth(ctx context.Context, env tools.Env, in authArgs) (tools.Output, error) {
	config, err := app(env)
	if err != nil {
		return tools.Output{}, err
	}
	if given := strings.TrimSpace(in.Code); given != "" {
		if err := s.finish(ctx, env, given); err != nil {
			return tools.Output{}, err
		}
		s.Close()
		return tools.Output{Text: "Spotify is authorized."}, nil
	}
	if _, err := s.token(ctx, env, ""); err == nil {
		return tools.Output{Text: "Spotify is authorized already. To use another account, the user must remove \"spotify\" from tokens.json in the profile's directory."}, nil
	}
	login := logins.SpotifyLogin{State: rand.Text(), Verifier: oauth2.GenerateVerifier(), SavedAt: float64(env.Now().UnixMilli()) / 1000}
	err = logins.ChangeTokens(s.home.Profile(env.ProfileName()), func(all *logins.Tokens) error {
		all.Login = &login
		return nil
	})
	if err != nil && !persistence.OnlyDamage(err) {
		return tools.Output{}, fmt.Errorf("begin a login: %w", err)
	}
	address := config.AuthCodeURL(login.State, oauth2.S256ChallengeOption(login.Verifier))
	text := "Ask the user to open this address and approve access:\n" + address + "\n"
	if env.Person {
		if err = s.hear(ctx, env); err == nil {
			return tools.Output{Text: text + "If the user does so within 10 minutes, Marvin completes the login, and nothing more needs to be done."}, nil
		}
		text += fmt.Sprintf("Marvin cannot receive the redirect itself (%v). ", err)
	}
	return tools.Output{Text: text + "After approval, the browser opens a page that usually does not load. Ask the user for the whole address of that page (" + callbackURL + "?code=…), and give it to spotify_auth as auth_code."}, nil
}

// finish completes a login with an authorization code, or with a URL that contains the code.
func (s *Service) finish(ctx context.Context, env tools.Env, given string) error {
	kept, err := logins.TokensOf(s.home.Profile(env.ProfileName()))
	if err != nil {
		return err
	}
	if kept.Login == nil {
		return tools.Advise(errors.New("no login to Spotify has begun in this profile"), "Call spotify_auth without a code first.")
	}
	code, err := codeIn(given, kept.Login.State)
	if err != nil {
		return err
	}
	config, err := app(env)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, 15*time.Second, errors.New("it took longer than 15s"))
	defer cancel()
	answer, err := config.Exchange(context.WithValue(ctx, oauth2.HTTPClient, s.client), code, oauth2.VerifierOption(kept.Login.Verifier))
	if err != nil {
		return explain(ctx, err)
	}
	_, err = s.keep(env, answer, nil)
	return err
}

// codeIn extracts the code from an address, which must contain the state of this login. Otherwise,
// a page in the user's browser could log Marvin in to another account. A bare code needs no state,
// because a code is worthless without the login's verifier.
func codeIn(given, state string) (string, error) {
	_, query, found := strings.Cut(given, "?")
	if !found && !strings.Contains(given, "code=") {
		if strings.ContainsAny(given, " \n/") {
			return "", tools.Advise(errors.New("that is neither a code nor the address of the callback"), "It looks like %s?code=…&state=…", callbackURL)
		}
		return given, nil
	}
	if !found {
		query = given
	}
	query, _, _ = strings.Cut(query, "#")
	values, err := url.ParseQuery(query)
	again := "To get a new address, call spotify_auth without a code."
	switch {
	case err != nil:
		return "", tools.Advise(errors.New("the address is broken"), "%s", again)
	case subtle.ConstantTimeCompare([]byte(values.Get("state")), []byte(state)) != 1:
		return "", tools.Advise(errors.New("the address belongs to another login (its state differs)"), "%s", again)
	case values.Get("error") != "":
		return "", tools.Advise(fmt.Errorf("the login was not granted: %.60s", tools.Visible(values.Get("error"))), "%s", again)
	case values.Get("code") == "":
		return "", tools.Advise(errors.New("the address holds no code"), "%s", again)
	}
	return values.Get("code"), nil
}
