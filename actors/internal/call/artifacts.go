package call

import (
	"fmt"
	"slices"
	"strings"

	"marvin/persistence/artifacts"
	"marvin/tools"
	"marvin/tools/undo"
)

// excess writes pictures and long results to the artifact store.
type excess struct {
	artifacts *artifacts.Store
	about     artifacts.Artifact // describes each artifact of the call
}

// keep applies [tools.ResultLimits] to a result. It stores the full text of a shortened result, and
// all pictures, as artifacts.
func (e excess) keep(output tools.Output) tools.Output {
	about := e.about
	if about.Foreign = about.Foreign || output.Strangers; about.Foreign {
		output.Text = tools.Unhidden(output.Text)
	}
	output.Text = tools.ResultLimits.KeepWhole(e.artifacts, about, output.Text)
	return keepPictures(e.artifacts, about, output)
}

// keepPictures stores the pictures of a result and adds the addresses to the result's text. An
// address lets the model view a picture again, even if the original file has changed.
func keepPictures(artifacts *artifacts.Store, about artifacts.Artifact, output tools.Output) tools.Output {
	output.Pictures = slices.Clone(output.Pictures)
	for i, picture := range output.Pictures {
		about.Media = picture.Type
		kept, err := artifacts.Put(about, picture.Data)
		if err != nil || kept.Number == 0 { // the picture was not stored, so it has no address
			continue
		}
		address := tools.ArtifactAddress(kept.Number)
		output.Pictures[i].Address = address
		if strings.Contains(output.Text, address) {
			continue
		}
		if output.Text != "" && !strings.HasSuffix(output.Text, "\n") {
			output.Text += "\n"
		}
		output.Text += fmt.Sprintf("[the picture is stored as %s: read_file shows it again]\n", address)
	}
	return output
}

// keepCall records a call together with its inverse. If inverse is nil, the effect of the call
// cannot be undone. A call that starts sub-agents is not recorded, because each call made by a
// sub-agent is recorded.
func keepCall(keeper *undo.Keeper, title string, tool *tools.Tool, inverse *tools.Inverse, err error) {
	if keeper == nil || tool.Pool == tools.Agent || tool.Effect < tools.Writes || tool.Effect == tools.Writes && err != nil {
		return
	}
	if err != nil {
		inverse = nil // a failed call may have done only part of its work
	}
	keeper.RecordCall(tools.Visible(tool.Name+" "+strings.TrimSpace(strings.TrimPrefix(title, tool.Name))), inverse)
}
