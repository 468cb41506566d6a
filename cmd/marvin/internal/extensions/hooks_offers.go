package extensions

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"marvin/cmd/marvin/internal/cli"
	"marvin/messages/lists"
	"marvin/persistence"
	"marvin/persistence/projects"
	"marvin/tools"
	"marvin/tools/hooks"
)

// A project's hooks do not run until the user accepts the exact text of their file. Accepted hooks
// run in the sandbox.

// AcceptedHooks returns the key for the stored acceptance of a hooks file. Unlike the name of a
// server, the key contains a colon.
func AcceptedHooks(file string) string { return "hooks:" + file }

// ProjectHooks returns the accepted hooks of the project in dir. All other hooks are returned as
// offers.
func ProjectHooks(home *persistence.Home, dir string) (accepted []hooks.Hook, offers []*hooks.Offer, err error) {
	if dir == "" {
		return nil, nil, nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, nil // reported elsewhere
	}
	defer root.Close()
	known := sync.OnceValue(func() map[string]string {
		known, problem := projects.OffersOf(home).Servers(dir)
		err = errors.Join(err, problem)
		return known
	})
	for _, file := range hooks.ForeignFiles {
		offer, problem := readHookOffer(root, file)
		err = errors.Join(err, problem)
		if offer == nil {
			continue
		}
		if known()[AcceptedHooks(file)] == offer.Hash {
			accepted = append(accepted, offer.Hooks...)
		} else {
			offers = append(offers, offer)
		}
	}
	return accepted, offers, err
}

func readHookOffer(root *os.Root, file string) (*hooks.Offer, error) {
	content, err := root.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	defer content.Close()
	data, err := io.ReadAll(io.LimitReader(content, longestOffers+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", file, err)
	case len(data) > longestOffers:
		return nil, fmt.Errorf("%s is longer than %d KB, the limit for a hooks file; shorten it", file, longestOffers>>10)
	}
	return hooks.ReadOffer(file, data)
}

// SayHookOffers describes the hooks that the project offers.
func SayHookOffers(offers []*hooks.Offer) string {
	return "this project offers hooks that are off, because you have not accepted them: " + fileNames(offers) + "; to list them, run marvin hooks list; to accept them, run marvin hooks accept"
}

func fileNames(offers []*hooks.Offer) string {
	names := lists.Map(offers, func(offer *hooks.Offer) string { return fmt.Sprintf("%s (%d)", offer.File, len(offer.Hooks)) })
	return strings.Join(names, ", ")
}

type (
	HooksFile struct {
		Args struct {
			File string `positional-arg-name:"FILE"`
		} `positional-args:"yes"`
	}
)

// ProjectEnvironment describes which variables a project's extensions receive.
func ProjectEnvironment(world cli.World, home *persistence.Home) string {
	settings, _ := world.Settings(home) // errors are reported elsewhere
	passed := append(slices.Clone(settings.PassEnv), commaWords(world.Getenv("MARVIN_PASS_ENV"))...)
	if len(passed) == 0 {
		return "the environment of a command, without your keys"
	}
	return "the environment of a command, with the variables in pass_env: " + tools.Visible(strings.Join(passed, ", "))
}

func commaWords(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}

func In(file string) string {
	if file == "" {
		return ""
	}
	return " in " + file
}
