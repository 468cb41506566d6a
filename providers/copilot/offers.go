package copilot

import (
	"context"

	sdk "github.com/github/copilot-sdk/go"
)

// ModelOffer is a model that the CLI offers.
type ModelOffer struct {
	Name    string
	Window  int // tokens of a question and its answer together; 0 if the CLI does not say
	Sees    bool
	Efforts []string // as the CLI calls them; none where it takes none
}

// Offers lists the models of the CLI that runs. It starts none: without one there are none.
// The context says how long to wait.
func (c *CLI) Offers(ctx context.Context) (list []ModelOffer, err error) {
	c.mu.Lock()
	p := c.current
	c.mu.Unlock()
	if p == nil || p.alive.Err() != nil {
		return nil, nil
	}
	err = p.call(ctx, func(ctx context.Context, client *sdk.Client) error {
		models, err := client.ListModels(ctx)
		for _, model := range models {
			if model.Policy != nil && model.Policy.State == "disabled" {
				continue // the account may not use it
			}
			offer := ModelOffer{Name: model.ID, Sees: model.Capabilities.Supports.Vision, Efforts: model.SupportedReasoningEfforts}
			if window := model.Capabilities.Limits.MaxContextWindowTokens; window != nil {
				offer.Window = *window
			}
			list = append(list, offer)
		}
		return err
	})
	return list, err
}
