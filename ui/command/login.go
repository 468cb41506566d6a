package command

import (
	"context"
	"errors"
	"strings"

	"marvin/ui/view"
)

// LoginForm contains the functions for the form in which the user types a provider's key. Only a
// front end that implements [Forms] can show the form.
type LoginForm struct {
	// FormTitle returns the title of a provider's form; ok reports whether the provider accepts a
	// typed key.
	FormTitle func(provider string) (title string, ok bool)
	// Keep asks the provider to check a key, and stores the key if the provider accepts it. Keep has
	// its own deadline. The result describes what was stored and where.
	Keep func(ctx context.Context, provider, key string) (said string, err error)
}

// logIn lets the user log in to a provider and then switches to that provider.
func (m models) logIn(name string) {
	if name == "" {
		m.chooseLogin()
		return
	}
	then := func(said string) {
		m.say(said)
		m.provider(name)
	}
	if m.askKey(name, "", then, func() { m.say("No key was given, so nothing was stored.") }) {
		return
	}
	m.suspendLogin(name, then)
}

// suspendLogin runs a provider's login on the terminal.
func (m models) suspendLogin(name string, then func(said string)) {
	said := ""
	err := m.Front.Suspend(func() (err error) { said, err = m.Host.LogIn(name); return err })
	switch {
	case errors.Is(err, ErrNoTerminal):
		m.warn("A key cannot be entered here, because there is no terminal. Run marvin login " + name + " in a shell.")
	case err != nil:
		m.fail(err)
	default:
		then(said)
	}
}

// askKey shows a provider's form until the provider accepts the key or the user gives up. If there
// is no form, askKey returns false.
func (m models) askKey(name, problem string, then func(said string), left func()) bool {
	forms, ok := m.Front.(Forms)
	if !ok || m.LoginForm.FormTitle == nil {
		return false
	}
	title, ok := m.LoginForm.FormTitle(name)
	if !ok {
		return false
	}
	forms.Secret(Secret{Title: title, Problem: problem, Left: left, Given: func(key string) {
		m.runOutside("try the key", func(ctx context.Context) func() {
			said, err := m.LoginForm.Keep(ctx, name, key)
			return func() {
				switch {
				case ctx.Err() != nil:
					left()
				case err != nil:
					m.askKey(name, err.Error(), then, left)
				default:
					then(said)
				}
			}
		})
	}})
	return true
}

// chooseLogin asks which provider to log in to.
func (m models) chooseLogin() {
	m.runOutside("list the providers", func(ctx context.Context) func() {
		list := m.Host.Providers(ctx)
		return func() {
			if ctx.Err() != nil {
				return
			}
			list = offeredFirst(list)
			items, names := offeredItems(list), make([]string, len(list))
			for i, choice := range list {
				names[i] = choice.Provider
				items[i].Now = choice.Provider == m.Talk.Provider
			}
			pick := Pick{List: view.List{Title: "Which provider do you have a key or an account for?", Items: items}, Chosen: func(at int) { m.logIn(names[at]) }}
			if !m.Front.Pick(pick) {
				m.say("Which provider? For example: /login gemini. The providers are " + strings.Join(names, ", ") + ".")
			}
		}
	})
}
