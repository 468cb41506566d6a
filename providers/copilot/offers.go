package copilot

import (
	"context"

	sdk "github.com/github/copilot-sdk/go"
)

// ModelOffer is a model that the CLI offers.
type ModelOffer struct {
	Name    string
	Window  int // the maximum size of a question and its answer together, in tokens; 0 if unknown
	Sees    bool
	Efforts []string // the CLI's names for the supported reasoning efforts
}

// Offers returns the models that the running CLI offers. If no CLI is running, the list is empty.
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
				continue // the account has no permission to use this model
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
