package memory

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"marvin/persistence"
)

// Proposals manages facts that wait for the user's consent. The facts are stored in the file
// memory/proposals.json, and no model reads them.
type Proposals struct{ store *Store }

// Proposals returns the proposals of the store.
func (s *Store) Proposals() Proposals { return Proposals{s} }

// Proposal is a fact that waits for consent.
type Proposal struct {
	ID     string    `json:"id"`
	Text   string    `json:"text"`
	Scope  Scope     `json:"scope"`
	Of     string    `json:"of,omitempty"`     // the profile, or a directory of the repository
	Source string    `json:"source,omitempty"` // the conversation and the message that the fact comes from
	Why    string    `json:"why,omitempty"`    // the reason for the wait, shown to the user
	At     time.Time `json:"at"`
}

// mostProposals is the maximum number of pending proposals. Without a limit, a web page could make
// a model propose thousands of facts.
const mostProposals = 100

func (p Proposals) path() string {
	if dir := p.store.Dir(); dir != "" {
		return filepath.Join(dir, "proposals.json")
	}
	return ""
}

// List returns the proposals, oldest first.
func (p Proposals) List() (list []Proposal, err error) {
	text, err := persistence.ReadText(p.path())
	if err != nil || text == "" {
		return nil, err
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, &persistence.DamagedError{Path: p.path(), Err: fmt.Errorf("%w; correct the file, or delete it and lose the proposed facts in it", err)}
	}
	return list, nil
}

// Add stores a proposal. If the fact has already been proposed, Add changes nothing.
func (p Proposals) Add(one Proposal) (Proposal, error) {
	text, err := p.store.Check(one.Text)
	if err != nil {
		return one, err
	}
	one.Text, one.Source, one.At = text, oneLine(one.Source), p.store.home.Now()
	in := &file{path: p.path() + string(one.Scope) + one.Of}
	one.ID = "p" + in.name(&Fact{Text: text})[1:]
	return one, p.change(func(list []Proposal) ([]Proposal, error) {
		if slices.ContainsFunc(list, func(other Proposal) bool { return other.ID == one.ID }) {
			return list, nil
		}
		if len(list) >= mostProposals {
			return nil, fmt.Errorf("%d facts, the maximum, are already waiting for your decision; accept or refuse them with /memory", len(list))
		}
		return append(list, one), nil
	})
}

// Accept turns a proposal into a fact.
func (p Proposals) Accept(id string) (added AddResult, err error) {
	one, err := p.find(id)
	if err != nil {
		return added, err
	}
	added, err = p.store.Add(Fact{Text: one.Text, Scope: one.Scope, Source: strings.TrimPrefix(one.Source+" · agreed to", " · ")}, Location{Profile: one.Of, Dir: one.Of})
	if err != nil {
		return added, err
	}
	return added, p.Refuse(one.ID)
}

// Refuse removes a proposal.
func (p Proposals) Refuse(id string) error {
	one, err := p.find(id)
	if err != nil {
		return err
	}
	return p.change(func(list []Proposal) ([]Proposal, error) {
		return slices.DeleteFunc(list, func(other Proposal) bool { return other.ID == one.ID }), nil
	})
}

func (p Proposals) find(id string) (Proposal, error) {
	list, err := p.List()
	for _, one := range list {
		if strings.EqualFold(one.ID, id) {
			return one, nil
		}
	}
	return Proposal{}, errors.Join(fmt.Errorf("no fact %s is waiting for an answer; list the waiting facts with marvin memory list", id), err)
}

func (p Proposals) drop(which func(text string) bool) error {
	return p.change(func(list []Proposal) ([]Proposal, error) {
		return slices.DeleteFunc(list, func(one Proposal) bool { return which(one.Text) }), nil
	})
}

func (p Proposals) change(change func([]Proposal) ([]Proposal, error)) error {
	if list, err := p.List(); err == nil && len(list) == 0 {
		if list, err = change(nil); err != nil || len(list) == 0 {
			return err // nothing to write
		}
	}
	return persistence.ChangeText(p.store.home, p.path(), func(text string) (string, error) {
		var list []Proposal
		if text != "" {
			if err := json.Unmarshal([]byte(text), &list); err != nil {
				return "", &persistence.DamagedError{Path: p.path(), Err: fmt.Errorf("%w; correct the file, or delete it and lose the proposed facts in it", err)}
			}
		}
		list, err := change(list)
		if err != nil || len(list) == 0 {
			return "", err
		}
		encoded, err := json.MarshalIndent(list, "", "  ")
		return string(encoded) + "\n", err
	})
}
