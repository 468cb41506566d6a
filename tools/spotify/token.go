package spotify

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/oauth2"

	"marvin/persistence"
	"marvin/persistence/logins"
	"marvin/tools"
)

// Tokens are renewed this long before they expire.
const early = 300 * time.Second

// token returns an access token that is still valid for some time. The caller may pass a token that
// Spotify has just rejected. If that token is still stored, it is renewed even before its expiry.
func (s *Service) token(ctx context.Context, env tools.Env, rejected string) (string, error) {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	kept, valid, err := s.loadToken(env, rejected)
	if err != nil || valid {
		return kept.AccessToken, err
	}
	// Another process can renew the token at the same time. If locking fails, s.refresh looks for
	// the token that the other process stored.
	if unlock, err := logins.LockLogin(s.home.Profile(env.ProfileName())); err == nil {
		defer func() { _ = unlock() }()
		if kept, valid, err = s.loadToken(env, rejected); err != nil || valid {
			return kept.AccessToken, err
		}
	}
	fresh, err := s.refresh(ctx, env, &kept)
	if err != nil {
		return "", err
	}
	return fresh.AccessToken, nil
}

func (s *Service) loadToken(env tools.Env, rejected string) (token logins.SpotifyToken, valid bool, err error) {
	all, err := logins.TokensOf(s.home.Profile(env.ProfileName()))
	if err != nil {
		return token, false, err
	}
	if all.Spotify == nil {
		return token, false, tools.Advise(errors.New("you are not logged in to Spotify"), "Call spotify_auth: it returns the address of the login page.")
	}
	token = *all.Spotify
	ends := time.UnixMilli(int64(token.SavedAt*1000) + token.ExpiresIn*1000)
	return token, token.AccessToken != "" && token.AccessToken != rejected && env.Now().Before(ends.Add(-early)), nil
}

func (s *Service) refresh(ctx context.Context, env tools.Env, old *logins.SpotifyToken) (*logins.SpotifyToken, error) {
	config, err := app(env)
	if err != nil {
		return nil, err
	}
	ctx = context.WithValue(ctx, oauth2.HTTPClient, s.client)
	answer, err := config.TokenSource(ctx, &oauth2.Token{RefreshToken: old.RefreshToken}).Token()
	if err == nil {
		// If the reply contains no refresh token, oauth2 returns the old refresh token.
		return s.keep(env, answer, old)
	}
	if err = explain(ctx, err); !errors.Is(err, errLogin) {
		return nil, err
	}
	// Another process might have used this refresh token first and stored a new token.
	kept, wrong := logins.TokensOf(s.home.Profile(env.ProfileName()))
	if wrong == nil && kept.Spotify != nil && kept.Spotify.RefreshToken != old.RefreshToken {
		return kept.Spotify, nil
	}
	return nil, err
}

// keep replaces the stored Spotify token and deletes the pending login.
func (s *Service) keep(env tools.Env, answer *oauth2.Token, old *logins.SpotifyToken) (*logins.SpotifyToken, error) {
	scope, _ := answer.Extra("scope").(string)
	if scope == "" && old != nil {
		scope = old.Scope
	}
	token := &logins.SpotifyToken{
		AccessToken: answer.AccessToken, TokenType: answer.TokenType, Scope: scope, ExpiresIn: answer.ExpiresIn,
		RefreshToken: answer.RefreshToken, SavedAt: float64(env.Now().UnixMilli()) / 1000,
	}
	err := logins.ChangeTokens(s.home.Profile(env.ProfileName()), func(all *logins.Tokens) error {
		all.Spotify, all.Login = token, nil
		return nil
	})
	if err != nil && !persistence.OnlyDamage(err) {
		return nil, fmt.Errorf("store the Spotify login: %w", err)
	}
	return token, nil
}
