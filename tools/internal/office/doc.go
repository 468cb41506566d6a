// Package office extracts the text of documents, spreadsheets and slides in the formats of
// Microsoft Office since 2007 and of OpenDocument, which are zip archives of XML. It does not run
// or fetch anything in them, and needs no other program.
package office
