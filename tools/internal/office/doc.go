// Package office takes the text out of documents of word processors, spreadsheets and
// slides: those of Microsoft Office since 2007 and of OpenDocument, which are zip archives
// of XML. Nothing in them is run or fetched, and no program is needed.
package office
