/* The modes inside a <table>. What would be moved out of the table makes the page unusual. */
#ifndef OUTRIDER_TABLES_OF_PAGE_H
#define OUTRIDER_TABLES_OF_PAGE_H

#include "body.h"

static bool is_section(enum tag tag) { return tag == TAG_TBODY || tag == TAG_THEAD || tag == TAG_TFOOT; }

/* Close all up to an element that the tags name; <html> ends it, too. */
static void clear_to(struct page *page, enum tag first, enum tag second, enum tag third) {
  while (page->depth > 1) {
    struct element *element = current(page);
    if (!element->is_foreign && (element->tag == first || element->tag == second || element->tag == third))
      return;
    pop(page);
  }
}

static void clear_to_table(struct page *page) { clear_to(page, TAG_TABLE, TAG_TABLE, TAG_TABLE); }

static void clear_to_section(struct page *page) { clear_to(page, TAG_TBODY, TAG_THEAD, TAG_TFOOT); }

static void clear_to_row(struct page *page) { clear_to(page, TAG_TR, TAG_TR, TAG_TR); }

/* "Reset the insertion mode appropriately". */
static void reset_mode(struct page *page) {
  for (uint32_t nth = page->depth; nth-- > 0;) {
    switch (page->open[nth].is_foreign ? TAG_UNKNOWN : page->open[nth].tag) {
    case TAG_TD:
    case TAG_TH:
      page->mode = IN_CELL;
      return;
    case TAG_TR:
      page->mode = IN_ROW;
      return;
    case TAG_TBODY:
    case TAG_THEAD:
    case TAG_TFOOT:
      page->mode = IN_TABLE_BODY;
      return;
    case TAG_CAPTION:
      page->mode = IN_CAPTION;
      return;
    case TAG_COLGROUP:
      page->mode = IN_COLUMN_GROUP;
      return;
    case TAG_TABLE:
      page->mode = IN_TABLE;
      return;
    default:
      break;
    }
  }
  page->mode = IN_BODY;
}

static void insert_part(struct page *page, enum mode mode) {
  insert(page);
  page->mode = mode;
}

/* Each of these returns whether the tag is done; if not, it is looked at again in the new mode. */

static bool start_in_table(struct page *page) {
  enum tag tag = page->token.tag;
  switch (tag) {
  case TAG_CAPTION:
    clear_to_table(page);
    add_marker(page);
    insert_part(page, IN_CAPTION);
    return true;
  case TAG_COLGROUP:
    clear_to_table(page);
    insert_part(page, IN_COLUMN_GROUP);
    return true;
  case TAG_COL:
    clear_to_table(page);
    push_implied(page, TAG_COLGROUP);
    page->mode = IN_COLUMN_GROUP;
    return false;
  case TAG_TBODY:
  case TAG_THEAD:
  case TAG_TFOOT:
    clear_to_table(page);
    insert_part(page, IN_TABLE_BODY);
    return true;
  case TAG_TD:
  case TAG_TH:
  case TAG_TR:
    clear_to_table(page);
    push_implied(page, TAG_TBODY);
    page->mode = IN_TABLE_BODY;
    return false;
  case TAG_TABLE:
    if (!in_table_scope(page, TAG_TABLE))
      return true;
    pop_until(page, TAG_TABLE);
    reset_mode(page);
    return false;
  case TAG_NOFRAMES:
    if (!page->templates_are_text) {
      give_up(page, FOSTERED);
      return true;
    } /* it is moved out of the table, and shows nothing anywhere */
  /* fall through */
  case TAG_STYLE:
  case TAG_SCRIPT:
  case TAG_TEMPLATE:
    start_in_head(page);
    return true;
  case TAG_INPUT: {
    struct name type = page->token.values[TYPE];
    if (has_value(&page->token, TYPE) && type.length == 6 && mentions(type, "hidden"))
      insert_void(page);
    else
      give_up(page, FOSTERED);
    return true;
  }
  case TAG_FORM:
    if (!page->has_form) {
      page->has_form = true;
      insert_void(page);
    }
    return true;
  case TAG_HTML:
    note_language(page);
    return true;
  default:
    give_up(page, FOSTERED);
    return true;
  }
}

static bool end_in_table(struct page *page) {
  enum tag tag = page->token.tag;
  if (tag == TAG_TABLE) {
    if (in_table_scope(page, TAG_TABLE)) {
      pop_until(page, TAG_TABLE);
      reset_mode(page);
    }
  } else if (tag == TAG_P || tag == TAG_BR) {
    give_up(page, FOSTERED);
  } else if (tag != TAG_BODY && tag != TAG_HTML && !(TAG_KINDS[tag] & KIND_TABLE_PART)) {
    end_in_body(page);
  }
  return true;
}

static bool in_table(struct page *page) {
  return page->token.is_end ? end_in_table(page) : start_in_table(page);
}

static bool leave_caption(struct page *page) {
  if (!in_table_scope(page, TAG_CAPTION))
    return false;
  close_implied(page, TAG_UNKNOWN);
  pop_until(page, TAG_CAPTION);
  clear_to_marker(page);
  page->mode = IN_TABLE;
  return true;
}

static bool in_caption(struct page *page) {
  enum tag tag = page->token.tag;
  bool is_end = page->token.is_end;
  if (is_end && tag == TAG_CAPTION) {
    leave_caption(page);
    return true;
  }
  if (is_end ? tag == TAG_TABLE : TAG_KINDS[tag] & KIND_TABLE_PART)
    return !leave_caption(page);
  if (is_end && TAG_KINDS[tag] & KIND_TABLE_PART)
    return true;
  (is_end ? end_in_body : start_in_body)(page);
  return true;
}

static bool in_column_group(struct page *page) {
  enum tag tag = page->token.tag;
  bool is_end = page->token.is_end;
  if (!is_end && tag == TAG_COL) {
    insert_void(page);
    return true;
  }
  if (is_end && tag == TAG_COL)
    return true;
  if (tag == TAG_TEMPLATE) {
    if (!is_end)
      start_in_head(page);
    return true;
  }
  if (!is_end && tag == TAG_HTML) {
    note_language(page);
    return true;
  }
  if (!is_html(current(page), TAG_COLGROUP))
    return true;
  pop(page);
  page->mode = IN_TABLE;
  return is_end && tag == TAG_COLGROUP;
}

static bool leave_section(struct page *page) {
  if (!in_table_scope(page, TAG_TBODY) && !in_table_scope(page, TAG_THEAD) && !in_table_scope(page, TAG_TFOOT))
    return false;
  clear_to_section(page);
  pop(page);
  page->mode = IN_TABLE;
  return true;
}

static bool in_table_body(struct page *page) {
  enum tag tag = page->token.tag;
  if (page->token.is_end) {
    if (is_section(tag)) {
      if (in_table_scope(page, tag))
        leave_section(page);
      return true;
    }
    if (tag == TAG_TABLE)
      return !leave_section(page);
    return end_in_table(page);
  }
  switch (tag) {
  case TAG_TR:
    clear_to_section(page);
    insert_part(page, IN_ROW);
    return true;
  case TAG_TD:
  case TAG_TH:
    clear_to_section(page);
    push_implied(page, TAG_TR);
    page->mode = IN_ROW;
    return false;
  case TAG_CAPTION:
  case TAG_COL:
  case TAG_COLGROUP:
  case TAG_TBODY:
  case TAG_THEAD:
  case TAG_TFOOT:
    return !leave_section(page);
  default:
    return start_in_table(page);
  }
}

static bool leave_row(struct page *page) {
  if (!in_table_scope(page, TAG_TR))
    return false;
  clear_to_row(page);
  pop(page);
  page->mode = IN_TABLE_BODY;
  return true;
}

static bool in_row(struct page *page) {
  enum tag tag = page->token.tag;
  if (page->token.is_end) {
    if (tag == TAG_TR) {
      leave_row(page);
      return true;
    }
    if (tag == TAG_TABLE)
      return !leave_row(page);
    if (is_section(tag))
      return !in_table_scope(page, tag) || !leave_row(page);
    return end_in_table(page);
  }
  if (tag == TAG_TD || tag == TAG_TH) {
    clear_to_row(page);
    insert_part(page, IN_CELL);
    add_marker(page);
    return true;
  }
  if (TAG_KINDS[tag] & KIND_TABLE_PART)
    return !leave_row(page);
  return start_in_table(page);
}

static void leave_cell(struct page *page) {
  close_implied(page, TAG_UNKNOWN);
  while (page->depth > 1) {
    bool was_it = is_html(current(page), TAG_TD) || is_html(current(page), TAG_TH);
    pop(page);
    if (was_it)
      break;
  }
  clear_to_marker(page);
  page->mode = IN_ROW;
}

static bool in_cell(struct page *page) {
  enum tag tag = page->token.tag;
  if (page->token.is_end) {
    if (tag == TAG_TD || tag == TAG_TH) {
      if (in_table_scope(page, tag)) {
        close_implied(page, TAG_UNKNOWN);
        pop_until(page, tag);
        clear_to_marker(page);
        page->mode = IN_ROW;
      }
      return true;
    }
    if (tag == TAG_CAPTION || tag == TAG_COL || tag == TAG_COLGROUP)
      return true;
    if (tag == TAG_TABLE || tag == TAG_TR || is_section(tag)) {
      if (!in_table_scope(page, tag))
        return true;
      leave_cell(page);
      return false;
    }
    end_in_body(page);
    return true;
  }
  if (TAG_KINDS[tag] & KIND_TABLE_PART) {
    leave_cell(page);
    return false;
  }
  start_in_body(page);
  return true;
}

#endif
